import { describe, expect, it } from 'vitest'
import { externalAddress } from './external-links'

describe('external addresses', () => {
  it.each(['https://git.example/a/b/-/issues/1?x=1#note', 'http://localhost:3000/'])(
    'lets %s through',
    (address) => {
      expect(externalAddress(address)).toBe(address)
    },
  )

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'ms-settings:privacy',
    'alfred://run/1',
    'https://git.example@evil.example/',
    'not an address',
    '',
    `https://git.example/${'a'.repeat(9_000)}`,
  ])('refuses %s', (address) => {
    expect(externalAddress(address)).toBeNull()
  })
})
