import type { ImageCli } from '@shared/model/words'

/** What one check came to. */
export interface MatrixRow {
  readonly adapter: ImageCli
  readonly version: string
  readonly check: string
  readonly ok: boolean
  /** What the CLI did, or what was wrong. */
  readonly note: string
}

/** The whole of docs/cli-matrix.md. */
export function matrixDocument(rows: readonly MatrixRow[]): string {
  const adapters = unique(rows.map(({ adapter }) => adapter))
  return [
    '# What the agent CLIs do with sessions',
    'Written by `npm run test:clis`, which runs the real CLIs in the sandbox image against a scripted model. Do not change it by hand.',
    ...adapters.flatMap((adapter) => [
      `## ${adapter}`,
      tableOf(rows.filter((row) => row.adapter === adapter)),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

function tableOf(rows: readonly MatrixRow[]): string {
  const versions = unique(rows.map(({ version }) => version))
  const cell = (check: string, version: string): string => {
    const row = rows.find((one) => one.check === check && one.version === version)
    return row === undefined ? '' : `${row.ok ? 'yes' : '**no**'}: ${inCell(row.note)}`
  }
  const lines = unique(rows.map(({ check }) => check)).map((check) =>
    lineOf([check, ...versions.map((version) => cell(check, version))]),
  )
  return [lineOf(['check', ...versions]), lineOf(['---', ...versions.map(() => '---')]), ...lines].join('\n')
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const inCell = (note: string): string => note.replaceAll('|', '\\|').replaceAll('\n', ' ')

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]
