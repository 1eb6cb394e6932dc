/** Secrets by name, each as the system keyring sealed it, in base64. */
export type Sealed = Readonly<Record<string, string>>

/** By hand and not by a schema: the window must not wait for what reads schemas. Null: it is something else. */
export function parseSealed(text: string): Sealed | null {
  const content: unknown = JSON.parse(text)
  if (typeof content !== 'object' || content === null) return null
  const { version, sealed }: Partial<Record<'version' | 'sealed', unknown>> = content
  if (version !== 1 || typeof sealed !== 'object' || sealed === null || Array.isArray(sealed)) return null
  const entries = Object.entries(sealed)
  return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? Object.fromEntries(entries)
    : null
}
