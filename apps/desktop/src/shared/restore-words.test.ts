import { describe, expect, it } from 'vitest'
import type { RestoreReport } from './contract/restore'
import { restoreWords } from './restore-words'

const now = Date.UTC(2026, 10, 29, 12)
const report: RestoreReport = {
  backup: { file: '/d/backups/b.db', at: now - 3 * 60 * 60 * 1_000 },
  damagedFile: '/d/alfred-damaged-x.db',
  runsAdded: 2,
  runsUpdated: 1,
  sessions: 4,
  mailboxesAdded: 1,
  issuesAdded: 1,
  runsGoingOn: 1,
  refused: [{ folder: '/d/runs/x', reason: 'run.json cannot be read' }],
}

describe('what a restore is said to have done', () => {
  it('names what came back, what goes on, what is lost and where everything lies', () => {
    const words = restoreWords(report, now)
    expect(words.restored).toMatch(/^It is the backup of \S+.*, with what the run folders know\./)
    expect(words.restored).toContain('3 runs with 4 sessions were read in, so the agents remember.')
    expect(words.restored).toContain('1 run had not ended and goes on.')
    expect(words.lost).toContain('comments of issues')
    expect(words.lost).toContain('1 issue has a title only.')
    expect(words.lost).toContain('1 run folder could not be read.')
    expect(words.facts).toEqual([
      ['Damaged file, kept', '/d/alfred-damaged-x.db'],
      ['Backup', '/d/backups/b.db'],
      ['Not read: /d/runs/x', 'run.json cannot be read'],
    ])
  })

  it('says that there was no backup and nothing to read in', () => {
    const nothing = { runsAdded: 0, runsUpdated: 0, sessions: 0, runsGoingOn: 0, refused: [], issuesAdded: 0 }
    const words = restoreWords({ ...report, ...nothing, backup: null, damagedFile: null }, now)
    expect(words.restored).toBe(
      'There was no whole backup, so it is made of the run folders alone. The run folders knew nothing more.',
    )
    expect(words.lost).not.toContain('since')
    expect(words.facts).toEqual([['Damaged file, kept', 'there was none any more']])
  })
})
