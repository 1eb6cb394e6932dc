/** Of a file inside the sandbox: a plain word, so that it needs no quotes anywhere and hides nothing. */
export function attachmentFile(name: string, number: number): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  // the end tells what kind of file it is
  return `attachment-${number}-${plain.slice(-60).replace(/^[-.]+/, '') || 'file'}`
}

/** What people see: the last part of what may be a path, without what cannot be seen or turns the direction of text. */
export function attachmentName(name: string): string {
  const last = name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  return last.replaceAll(/\p{C}/gu, '').trim().slice(0, 200) || 'file'
}
