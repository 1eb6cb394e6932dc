import { describe, expect, it } from 'vitest'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { failureCard } from './start-failure-words'

const failures: readonly StartFailure[] = [
  { type: 'database_newer', dataFormat: 24, appFormat: 19, writtenBy: '1.3', backup: '/d/backups/b.db' },
  { type: 'database_damaged', message: 'x', backup: null },
  { type: 'database_locked', message: 'x' },
  { type: 'disk_full', message: 'x' },
  { type: 'not_writable', message: 'x' },
  { type: 'owner_silent', pid: 4127, command: 'alfred watch' },
  { type: 'unexpected', message: 'x' },
  { type: 'engine_lost', message: 'x' },
]

describe('why Alfred could not start', () => {
  it.each(failures)('is said calmly for $type', (failure) => {
    const card = failureCard(failure)
    expect(card.title).not.toMatch(/[.!]$/)
    expect(card.text).toMatch(/\.$/)
    expect(card.text).not.toMatch(/!|oops|please/i)
  })

  it('names the newest backup, or says that there is none', () => {
    expect(failureCard(failures[0]!).facts).toEqual([['Newest backup', '/d/backups/b.db']])
    expect(failureCard(failures[1]!).facts).toContainEqual(['Newest backup', 'none'])
  })

  it('offers to restore what is damaged, and nothing else', () => {
    expect(failures.filter((failure) => failureCard(failure).canRestore).map(({ type }) => type)).toEqual([
      'database_damaged',
    ])
    expect(failureCard(failures[1]!).text).toContain('can be read in again')
  })

  it('shows the backup of data that is too new, where there is one', () => {
    const hasBackup = (backup: string | null) =>
      failureCard({ type: 'database_newer', dataFormat: 24, appFormat: 19, writtenBy: null, backup })
        .hasBackup
    expect(hasBackup('/d/backups/b.db')).toBe(true)
    expect(hasBackup(null)).toBe(false)
  })

  it('offers to start again what had started', () => {
    expect(failures.filter((failure) => failureCard(failure).canStart).map(({ type }) => type)).toEqual([
      'engine_lost',
    ])
  })

  it('names versions, formats and the other process', () => {
    expect(failureCard(failures[0]!).text).toContain('Alfred 1.3 (format 24). This Alfred reads format 19.')
    expect(failureCard(failures[5]!).facts).toEqual([
      ['Process', '4127'],
      ['Command', 'alfred watch'],
    ])
  })
})
