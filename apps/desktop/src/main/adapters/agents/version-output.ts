/** As the registry of Node packages numbers versions, pre-releases like `1.2.3-beta.4` too. */
const version = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?`

/** Reads the version that stands between these words (patterns) in a line of its own. */
export function versionBetween(before: string, after: string): (output: string) => string | null {
  const pattern = new RegExp(`^${before}(${version})${after}`, 'm')
  return (output) => pattern.exec(output)?.[1] ?? null
}
