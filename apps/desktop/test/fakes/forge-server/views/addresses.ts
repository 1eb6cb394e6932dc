import type { IncomingHttpHeaders } from 'node:http'
import type { ForgeTraits } from '../forge-traits'

/*
 * Which address stands in an answer: the configured root, or what the request's headers say. Both are lies to
 * a client behind a proxy, and one of them to everybody who forges a header.
 */

export interface Addresses {
  /** Of `Link`, `url` and the documentation. */
  readonly root: string
  /** Of pages for people and of git. */
  readonly web: string
}

export function addressesFor(headers: IncomingHttpHeaders, traits: ForgeTraits, root: string): Addresses {
  const { protocol, host, pathname } = new URL(root)
  const forwarded = headers['x-forwarded-proto']
  const scheme =
    traits.readsForwardedProtocol && typeof forwarded === 'string' ? forwarded : protocol.replace(':', '')
  const asked = traits.followsHost ? (headers.host ?? host) : host
  const web = `${scheme}://${asked}${pathname === '/' ? '' : pathname}`
  return { root, web }
}
