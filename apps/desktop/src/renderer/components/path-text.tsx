import { classNames } from '../lib/class-names'
import { pathParts } from '../lib/path-parts'

/** A path in one line: where it has no room its middle goes, and the file keeps its name. The tooltip has all of it. */
export function PathText({ path, className }: { readonly path: string; readonly className?: string }) {
  const { folders, file } = pathParts(path)
  return (
    <span className={classNames('path-text', className)} title={path}>
      {folders !== '' && <span>{folders}</span>}
      <span>{file}</span>
    </span>
  )
}
