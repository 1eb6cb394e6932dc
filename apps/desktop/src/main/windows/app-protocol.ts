import { protocol } from 'electron'
import { extname, join, normalize, sep } from 'node:path'

/*
 * The window's page comes over a scheme of its own instead of file://, so that it has an origin that can read no
 * files, and so that its policy is a header that no page can take off.
 */

const scheme = 'app'
const host = 'alfred'

export const windowOrigin = `${scheme}://${host}`
export const windowPage = `${windowOrigin}/index.html`

/** Nothing from elsewhere and nothing inline: components carry their styles in the sheet. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

const servedTypes: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg', '.png', '.woff2', '.json'])

/** Must run before the app is ready. */
export function registerWindowScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/**
 * Serves the built page, and nothing outside its folder.
 *
 * The older call on purpose: files go from disk to the page without passing through this process's event loop, which
 * is busy while the app starts. With `protocol.handle` a cold start takes a sixth longer.
 */
export function serveWindowPage(folder: string): void {
  protocol.registerFileProtocol(scheme, (request, answer) => {
    const path = fileFor(folder, request.url)
    if (path === null || !servedTypes.has(extname(path))) return answer({ error: fileNotFound })
    answer({ path, headers })
  })
}

/** net::ERR_FILE_NOT_FOUND */
const fileNotFound = -6

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
}

/** The file that an address names, or null when it lies outside `folder` or at another host. */
export function fileFor(folder: string, address: string): string | null {
  const url = new URL(address)
  if (url.host !== host) return null
  let path: string
  try {
    path = decodeURIComponent(url.pathname)
  } catch {
    return null
  }
  if (path.includes('\0')) return null
  const file = normalize(join(folder, path))
  return file.startsWith(normalize(folder) + sep) ? file : null
}
