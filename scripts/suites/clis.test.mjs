import { expect, it } from 'vitest'
import { matrixTable } from './clis.mjs'

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
