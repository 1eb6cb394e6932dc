// The checks on the real agent CLIs: the vitest project `clis`, which tells its rows in a file.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readJson, runVitest } from './vitest.mjs'

/**
 * `{ matrix, passed, failed }`: a row for each check of a CLI in one version. `only` names CLIs, with commas between.
 * Quiet: what the tests say goes to standard error.
 */
export async function runClis(env, { only, isQuiet = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-clis-'))
  const rows = path.join(folder, 'rows.json')
  const more = { ALFRED_CLI_ROWS: rows, ...(only === undefined ? {} : { ALFRED_CLIS: only }) }
  try {
    const stdio = isQuiet ? ['ignore', 2, 2] : 'inherit'
    const counted = await runVitest('clis', ['clis'], { ...env, ...more }, [], stdio)
    return { ...counted, matrix: readJson(rows) ?? [] }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** As a part of all tests: prints the matrix, and counts. */
export async function testClis({ env }) {
  const { matrix, passed, failed } = await runClis(env)
  console.log(`\n${matrixTable(matrix)}`)
  return { passed, failed }
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
