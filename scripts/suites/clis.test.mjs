import { expect, it } from 'vitest'
import { matrixDocument, matrixTable } from './clis.mjs'

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
