import { expect, it } from 'vitest'
import { staysFor } from './use-steady'

it('keeps what is shown until it could be read', () => {
  const shown = { key: 'Queued', since: 10_000 }
  expect(staysFor(shown, 10_100)).toBe(400)
  expect(staysFor(shown, 10_500)).toBe(0)
  expect(staysFor(shown, 60_000)).toBe(0)
})
