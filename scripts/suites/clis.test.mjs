import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { matrixDocument, matrixTable, runClis, underCap, writeDocument } from './clis.mjs'

afterEach(() => vi.restoreAllMocks())

it('prints the rows in columns, as wide as their words', () => {
  const row = { adapter: 'codex', version: '0.171.0', check: 'fresh', ok: true, note: 'the CLI chose the id' }
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
    const run = (capMs) =>
      runClis({ ...process.env, CI: 'true' }, { only: 'no-such-cli', isQuiet: true, capMs })
    expect(await run(0)).toMatchObject({ failed: 1, failures: [expect.stringContaining('may take 0.0')] })
    expect(await run(undefined)).toMatchObject({ failed: 0, failures: [] })
  })
})
