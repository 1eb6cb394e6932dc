/** A path in two: the folders, which give way where there is no room, and the name of the file, which stays. */
export function pathParts(path: string): { readonly folders: string; readonly file: string } {
  const cut = path.replace(/\/+$/, '').lastIndexOf('/')
  return cut <= 0 ? { folders: '', file: path } : { folders: path.slice(0, cut), file: path.slice(cut) }
}
