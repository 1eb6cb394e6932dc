import { err, ok, type Result } from '@shared/result'

/*
 * Where a forge lives. What people paste is a page of the forge or its API; what is kept is the address everything
 * else is built from, with the path that the forge is served below.
 */

const apiTail = /\/api\/v\d+$/

/** `https://host/git/api/v1/` gives `https://host/git`; no trailing slash, no query, no user. */
export function toBaseUrl(pasted: string): Result<string, { readonly message: string }> {
  const text = pasted.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (url === null || url.hostname === '') return err({ message: `${text} is not an address.` })
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return err({ message: `${url.protocol}// is not how a forge is reached; use https:// or http://.` })
  }
  if (url.username !== '' || url.password !== '') {
    return err({ message: 'The address holds a user or a password. The token goes into its own field.' })
  }
  const path = url.pathname.replace(/\/+$/, '').replace(apiTail, '')
  return ok(`${url.origin}${path}`)
}

/** The repository's page below the base, whatever address the forge itself would give. */
export const repositoryUrl = (baseUrl: string, slug: string): string =>
  `${baseUrl}/${slug.split('/').map(encodeURIComponent).join('/')}`
