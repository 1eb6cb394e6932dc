import type { IncomingHttpHeaders } from 'node:http'
import { roleOf } from './access'
import { page, plainText, type Answer } from './answer'
import type { ForgeState } from './forge-state'
import type { ForgeTraits } from './forge-traits'

/*
 * What stands outside the API: the front page, pages of repositories, and the pages that are not there. A browser
 * is told so in HTML, everybody else in a line of text.
 */

export function answerPage(
  url: URL,
  headers: IncomingHttpHeaders,
  { state, traits }: { readonly state: ForgeState; readonly traits: ForgeTraits },
): Answer {
  const { pathname } = url
  if (traits.isForgejo && pathname === '/api/forgejo/v1/version') {
    const text = JSON.stringify({ version: traits.version })
    return { status: 200, text, contentType: 'text/plain; charset=utf-8' }
  }
  if (pathname === '/api/healthz')
    return { status: 200, json: { status: 'pass', description: 'Forge', checks: {} } }
  if (pathname === '/') return page(200, 'Forge')
  if (pathname === '/robots.txt') return plainText(404, '404 page not found\n')
  if (pathname === '/user/settings') {
    const to =
      traits.kind === 'gitea' ? `/user/login?redirect_to=${encodeURIComponent(pathname)}` : '/user/login'
    return {
      status: 303,
      headers: { location: to },
      text: `<a href="${to}">See Other</a>.\n\n`,
      contentType: 'text/html; charset=utf-8',
    }
  }
  const [, owner = '', name = '', more] = pathname.split('/')
  const repository = state.repository(owner, name)
  if (repository !== undefined && more === undefined && roleOf(repository, null) !== null) {
    return page(200, `${owner}/${name}`)
  }
  const wantsPage = (headers.accept ?? '').includes('text/html')
  return wantsPage ? page(404, 'Page Not Found') : plainText(404, 'Not found.\n')
}
