/** One numbered step of the schema. Its number is the data format it leads to. */
export interface Migration {
  readonly format: number
  readonly name: string
  readonly sql: string
}

// Bundled as text: a packaged app has no SQL files to look up.
const files = import.meta.glob<string>('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** All migrations, first to last. Never edited after a release. */
export const migrations: readonly Migration[] = Object.entries(files)
  .map(([path, sql]) => toMigration(path, sql))
  .toSorted((a, b) => a.format - b.format)

function toMigration(path: string, sql: string): Migration {
  const [, number, name] = /\/(\d{4})-([a-z0-9-]+)\.sql$/.exec(path) ?? []
  if (number === undefined || name === undefined) throw new Error(`migration without a number: ${path}`)
  return { format: Number(number), name, sql }
}

/** The format that this app reads and writes. */
export const appFormat = migrations.at(-1)?.format ?? 0
