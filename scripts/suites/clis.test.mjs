import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { run } from '../setup/commands.mjs'
import { asCommitted, matrixDocument, matrixTable, runClis, underCap, writeDocument } from './clis.mjs'

afterEach(() => vi.restoreAllMocks())

it('prints the rows in columns, as wide as their words', () => {
  const row = {
    adapter: 'codex',
    version: '0.171.0',
    check: 'fresh',
    ok: true,
    note: 'the CLI chose the id',
  }
  expect(matrixTable([row, { ...row, check: 'resume', ok: false, note: '' }])).toBe(
    [
      'adapter  version  check   ok   note',
      'codex    0.171.0  fresh   yes  the CLI chose the id',
      'codex    0.171.0  resume  NO',
    ].join('\n'),
  )
})

it('writes a table for each CLI, with a column for each version', () => {
  const row = { adapter: 'codex', version: '2.0', check: 'fresh', ok: true, note: 'a | b' }
  const rows = [row, { ...row, version: '1.0' }, { ...row, check: 'resume', ok: false, note: 'not\nso' }]
  expect(matrixDocument(rows).split('\n').slice(4)).toEqual([
    '## codex',
    '',
    '| check | 2.0 | 1.0 |',
    '| --- | --- | --- |',
    String.raw`| fresh | yes: a \| b | yes: a \| b |`,
    '| resume | **no**: not so |  |',
    '',
  ])
})

it('leaves the document as it is when a CLI that it tells of did not run', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'alfred-matrix-'))
  const file = path.join(folder, 'cli-matrix.md')
  const row = { adapter: 'codex', version: '1.0', check: 'fresh', ok: true, note: 'a note' }
  try {
    fs.writeFileSync(file, matrixDocument([row, { ...row, adapter: 'opencode' }]))
    const before = fs.readFileSync(file, 'utf8')
    writeDocument(file, [{ ...row, note: 'another note' }])
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
    const rows = [
      { ...row, note: 'another note' },
      { ...row, adapter: 'opencode' },
    ]
    writeDocument(file, rows)
    expect(fs.readFileSync(file, 'utf8')).toBe(matrixDocument(rows))
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})

describe('the committed document', () => {
  const row = { adapter: 'codex', version: '1.0', check: 'fresh', ok: true, note: 'a note' }
  const rows = [row, { ...row, check: 'resume' }]
  const passed = { passed: 2, failed: 0, failures: [], unsteady: [] }
  const judged = (before, change = {}) => asCommitted(passed, { before, matrix: rows, isCi: true, ...change })

  it('says nothing where it is what the checks wrote', () =>
    expect(judged(matrixDocument(rows))).toBe(passed))

  it('fails in CI where it tells something else, and says which lines', () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const edited = matrixDocument([row, { ...row, check: 'resume', note: 'by hand' }])
    expect(judged(edited)).toEqual({
      ...passed,
      failed: 1,
      failures: [
        [
          '✗ docs/cli-matrix.md is not what the checks wrote: run `npm run test:clis` and commit it.',
          '- | resume | yes: by hand |',
          '+ | resume | yes: a note |',
        ].join('\n'),
      ],
    })
    for (const other of [matrixDocument([row]), matrixDocument(rows.toReversed()), '']) {
      expect(judged(other)).toMatchObject({ failed: 1 })
    }
    expect(judged(edited, { isCi: false })).toBe(passed)
  })

  it('is not judged where a check failed, which is told by itself', () => {
    const failed = { ...passed, failed: 1, failures: ['✗ one'] }
    expect(asCommitted(failed, { before: '', matrix: rows, isCi: true })).toBe(failed)
  })
})

describe('the cap of the whole', () => {
  const counted = { passed: 90, failed: 1, failures: ['✗ one'], unsteady: [] }
  const capMs = 25 * 60_000

  it('says nothing of checks that end within it', () =>
    expect(underCap(counted, { tookMs: capMs, capMs, isCi: true })).toBe(counted))

  it('is a failure in CI, in words, and elsewhere words alone', () => {
    const told = vi.spyOn(console, 'error').mockReturnValue()
    const over = { tookMs: capMs + 90_000, capMs }
    const words = expect.stringContaining('took 26.5 minutes together, and may take 25.0')
    expect(underCap(counted, { ...over, isCi: true })).toEqual({
      ...counted,
      failed: 2,
      failures: ['✗ one', words],
    })
    expect(underCap(counted, { ...over, isCi: false })).toBe(counted)
    expect(told.mock.calls).toEqual([[words], [words]])
  })

  it('holds for a run of the suite', { timeout: 60_000 }, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const runOf = (capMs) =>
      runClis({ ...process.env, CI: 'true' }, { only: 'no-such-cli', isQuiet: true, capMs })
    expect(await runOf(0)).toMatchObject({ failed: 1, failures: [expect.stringContaining('may take 0.0')] })
    expect(await runOf(undefined)).toMatchObject({ failed: 0, failures: [] })
  })
})

describe('the command', { timeout: 60_000 }, () => {
  const commandOf = (options) => {
    const program = `import { tellClis } from ${JSON.stringify(new URL('clis.mjs', import.meta.url).href)}
      process.exitCode = await tellClis(process.env, ${JSON.stringify({ only: 'no-such-cli', ...options })})`
    return run(process.execPath, ['--input-type=module', '--eval', program])
  }

  it('with --json has the matrix alone on standard output; what the tests say is beside it', async () => {
    const { code, output, stdout } = await commandOf({ json: true })
    expect(stdout).toBe('{"matrix":[]}\n')
    expect(output).toContain('No test files found')
    // nothing was checked
    expect(code).toBe(1)
  })

  it('without it has the tests and a table there', async () => {
    const { stdout } = await commandOf({ json: false })
    expect(stdout).toContain('RUN')
    expect(stdout).toMatch(/\nadapter {2}version {2}check {2}ok {2}note\n$/)
  })
})
