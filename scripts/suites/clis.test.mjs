import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { matrixDocument, matrixTable, writeDocument } from './clis.mjs'

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
