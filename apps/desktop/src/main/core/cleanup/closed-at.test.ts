import { describe, expect, it } from 'vitest'
import type { Status } from '@shared/model/words'
import { closedAtAfter } from './closed-at'

const at = (isOpen: boolean, status: Status | null, closedAt: number | null = null) => ({
  isOpen,
  status,
  closedAt,
})

describe('since when a mailbox is closed', () => {
  it.each([
    ['stays open', at(true, null), at(true, 'in_review'), null],
    ['is closed', at(true, 'in_review'), at(false, 'in_review'), 9],
    ['is merged while its issue stays open', at(true, 'in_review'), at(true, 'done'), 9],
    ['is closed after it was merged', at(true, 'done', 5), at(false, 'done'), 5],
    ['is merged after it was closed', at(false, 'in_review', 5), at(false, 'done'), 5],
    ['is opened again', at(false, 'in_review', 5), at(true, 'in_review'), null],
    ['is opened again although it says done', at(false, 'done', 5), at(true, 'done'), null],
    ['goes on after it was done', at(true, 'done', 5), at(true, 'in_development'), null],
    ['changes nothing about its end', at(false, 'done', 5), at(false, 'done'), 5],
    ['was opened again, still says done, and is closed', at(true, 'done'), at(false, 'done'), 9],
  ])('%s', (_, before, after, expected) => {
    expect(closedAtAfter(before, after, 9)).toBe(expected)
  })
})
