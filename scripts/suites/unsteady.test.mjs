import { expect, it } from 'vitest'
import { judgeUnsteady } from './unsteady.mjs'

it('lets a few tests pass at their second try', () => {
  expect(judgeUnsteady({ passed: 10, failed: 0, unsteady: 3 })).toMatchObject({ passed: 10, failed: 0 })
})

it('counts all of them as failed when they are more', () => {
  expect(judgeUnsteady({ passed: 10, failed: 1, unsteady: 4 })).toMatchObject({ passed: 6, failed: 5 })
})
