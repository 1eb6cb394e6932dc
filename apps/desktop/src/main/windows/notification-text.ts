/*
 * Most notification servers on Linux read the body as markup, and agents and forges write it.
 */

const longestBody = 300

/** The body as the system's notification takes it; `platform` as in `process.platform`. */
export function notificationBody(text: string, platform: string): string {
  const short = text.length > longestBody ? `${text.slice(0, longestBody - 1).trimEnd()}…` : text
  if (platform !== 'linux') return short
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
