import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
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

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Must run before the app is ready. */
export function registerWindowScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the built page, and nothing outside its folder. `onScripts`: the page has all scripts that it asked for. */
export function serveWindowPage(folder: string, onScripts: () => void): void {
  let open = 0
  let hasScripts = false
  protocol.handle(scheme, async (request) => {
    const file = fileFor(folder, request.url)
    open += 1
    const response = file === null ? notFound() : await read(file)
    open -= 1
    hasScripts ||= request.url.endsWith('.js')
    // it asks for all at once, and style sheets among them
    if (open === 0 && hasScripts) onScripts()
    return response
  })
}

async function read(file: string): Promise<Response> {
  const type = contentTypes[extname(file)]
  if (type === undefined) return notFound()
  try {
    return new Response(new Uint8Array(await readFile(file)), {
      headers: {
        'content-type': type,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      },
    })
  } catch {
    return notFound()
  }
}

const notFound = (): Response => new Response(null, { status: 404 })

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
