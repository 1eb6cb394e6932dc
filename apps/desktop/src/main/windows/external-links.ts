/*
 * Addresses come from forges and agents, so each is looked at before the system's browser gets it.
 */

const longestAddress = 8_000

/** The address as the browser should get it, or null when it is not a plain http(s) one. */
export function externalAddress(text: string): string | null {
  if (text.length > longestAddress) return null
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  // a name and password in front of the host is how one host is made to look like another
  if (url.username !== '' || url.password !== '') return null
  return url.href
}
