// The checks on the real agent CLIs: the vitest project `clis`, which tells the rows of each CLI in a file.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from '../setup/places.mjs'
import { readJson, runVitest } from './vitest.mjs'

/** The whole of it on two cores, with the CLIs fetched. Each check has a cap of its own besides. */
const wholeCapMs = 25 * 60_000

const matrixFile = path.join(root, 'docs', 'cli-matrix.md')

/**
 * `{ matrix, passed, failed, failures, unsteady }`: a row for each check of a CLI in one version. `only` names CLIs, with
 * commas between; without it docs/cli-matrix.md is written, which in CI must say that already. Quiet: what the tests say
 * goes to standard error.
 */
export async function runClis(env, { only, isQuiet = false, capMs = wholeCapMs } = {}) {
  const startedAt = performance.now()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-clis-'))
  try {
    const files = only?.split(',').map((name) => `test/clis/${name}.test`) ?? []
    const stdio = isQuiet ? ['ignore', 2, 2] : 'inherit'
    const counted = await runVitest('clis', ['clis'], { ...env, ALFRED_CLI_ROWS: folder }, files, stdio)
    const told = fs.readdirSync(folder).toSorted()
    const matrix = told.flatMap((file) => readJson(path.join(folder, file)) ?? [])
    const tookMs = performance.now() - startedAt
    const isCi = Boolean(env.CI)
    const capped = underCap(counted, { tookMs, capMs, isCi })
    if (only !== undefined) return { ...capped, matrix }
    const before = fs.readFileSync(matrixFile, 'utf8')
    writeDocument(matrixFile, matrix)
    return { ...asCommitted(capped, { before, matrix, isCi }), matrix }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** In CI a suite that took longer than it may has failed, whatever its tests say. Elsewhere it is told. */
export function underCap(counted, { tookMs, capMs, isCi }) {
  if (tookMs <= capMs) return counted
  const minutes = (ms) => (ms / 60_000).toFixed(1)
  const words = `The checks on the agent CLIs took ${minutes(tookMs)} minutes together, and may take ${minutes(capMs)}: make some of them shorter, or run fewer versions.`
  console.error(words)
  if (!isCi) return counted
  return { ...counted, failed: counted.failed + 1, failures: [...counted.failures, `✗ ${words}`] }
}

/**
 * In CI the document must be what the checks would write: else it tells of other checks or other CLIs than these. Where a
 * check failed that is told by itself, and the document would say no more.
 */
export function asCommitted(counted, { before, matrix, isCi }) {
  const [committed, written] = [before, matrixDocument(matrix)].map((text) => text.split('\n'))
  const isSame = committed.length === written.length && committed.every((line, at) => line === written[at])
  if (!isCi || counted.failed > 0 || isSame) return counted
  const lines = [
    ...committed.filter((line) => !written.includes(line)).map((line) => `- ${line}`),
    ...written.filter((line) => !committed.includes(line)).map((line) => `+ ${line}`),
  ]
  const words = [
    'docs/cli-matrix.md is not what the checks wrote: run `npm run test:clis` and commit it.',
    ...(lines.length === 0 ? ['Its lines are in another order.'] : lines.slice(0, mostLines)),
    ...(lines.length > mostLines ? [`and ${lines.length - mostLines} lines more`] : []),
  ].join('\n')
  console.error(words)
  return { ...counted, failed: counted.failed + 1, failures: [...counted.failures, `✗ ${words}`] }
}

const mostLines = 10

/** Keeps the document as it is when a CLI that it tells of has no rows now, since it could not be installed, say. */
export function writeDocument(file, matrix) {
  const told = [...fs.readFileSync(file, 'utf8').matchAll(/^## (.+)$/gm)].map(([, adapter]) => adapter)
  const missing = told.filter((adapter) => !matrix.some((row) => row.adapter === adapter))
  if (missing.length === 0) fs.writeFileSync(file, matrixDocument(matrix))
  else console.error(`${path.basename(file)} is left as it was: ${missing.join(', ')} did not run`)
}

/**
 * On a command of its own: the matrix as JSON, alone on standard output, or as a table after what the tests say. Gives the
 * code to end with.
 */
export async function tellClis(env, { json, only }) {
  const { matrix, passed, failed } = await runClis(env, { only, isQuiet: json })
  process.stdout.write(json ? `${JSON.stringify({ matrix })}\n` : `\n${matrixTable(matrix)}\n`)
  return failed === 0 && passed > 0 ? 0 : 1
}

/** As a part of all tests: prints the matrix, and counts. */
export async function testClis({ env }) {
  const { matrix, ...counted } = await runClis(env)
  console.log(`\n${matrixTable(matrix)}`)
  return counted
}

/** The rows for a terminal, in columns. */
export function matrixTable(matrix) {
  const lines = matrix.map(({ adapter, version, check, ok, note }) => [
    adapter,
    version,
    check,
    ok ? 'yes' : 'NO',
    note,
  ])
  const all = [['adapter', 'version', 'check', 'ok', 'note'], ...lines]
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)))
  return all
    .map((line) =>
      line
        .map((word, column) => word.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The whole of docs/cli-matrix.md: a table for each CLI, with a column for each of its versions. */
export function matrixDocument(matrix) {
  const adapters = unique(matrix.map(({ adapter }) => adapter))
  const parts = [
    '# What the agent CLIs do with sessions',
    'Written by `npm run test:clis`, which runs the real CLIs in the sandbox image against a scripted model. Do not change it by hand.',
    ...adapters.flatMap((adapter) => [
      `## ${adapter}`,
      tableOf(matrix.filter((row) => row.adapter === adapter)),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function tableOf(rows) {
  const versions = unique(rows.map(({ version }) => version))
  const cell = (check, version) => {
    const row = rows.find((one) => one.check === check && one.version === version)
    return row === undefined ? '' : `${row.ok ? 'yes' : '**no**'}: ${inCell(row.note)}`
  }
  const checks = unique(rows.map(({ check }) => check))
  return [
    ['check', ...versions],
    ['---', ...versions.map(() => '---')],
    ...checks.map((check) => [check, ...versions.map((version) => cell(check, version))]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const inCell = (note) => note.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')

const unique = (values) => [...new Set(values)]
