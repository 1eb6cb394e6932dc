import { expect, it } from 'vitest'
import { Button } from './button'

it.each(['disabledReason', 'hint'] as const)('stays the same element when its %s comes and goes', (name) => {
  const typeOf = (words: string | undefined): unknown => Button({ label: 'Send', [name]: words }).type
  expect(typeOf('Nothing is written yet.')).toBe(typeOf(undefined))
})
