import { expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { isInRanges } from '@main/core/agents/version-range'
import { clisUnderTest, versionsOf } from './clis-under-test'
import { matrixDocument, type MatrixRow } from './matrix'

it('is written as a table for each CLI, with a column for each version', () => {
  const row: MatrixRow = { adapter: 'codex', version: '2.0', check: 'fresh', ok: true, note: 'a | b' }
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

it.each(clisUnderTest)(
  'runs both ends of the range in which $id is resumed, and no more than that range',
  (cli) => {
    const ranges = cli.create().resumeVersions
    const tested = versionsOf(cli).map(({ version }) => version)
    for (const { from, to } of ranges) expect(tested).toEqual(expect.arrayContaining([from, to]))
    for (const version of tested) expect(isInRanges(version, ranges)).toBe(true)
    expect(tested[0]).toBe(cliPackages[cli.id].version)
  },
)
