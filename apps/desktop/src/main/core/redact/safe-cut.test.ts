import { describe, expect, it } from 'vitest'
import { createRedact } from './redact'
import { charactersOver } from './safe-cut'

const redact = createRedact(() => ['correct horse battery staple'])

describe('where a text can be cut', () => {
  it('is at the edge when no secret lies over it', () => {
    expect(charactersOver('all is ', 'well', redact)).toBe(0)
  })

  it.each([
    ['a known value', 'correct horse battery staple'],
    ['a token', `ghp_${'a1'.repeat(18)}`],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${'c2VjcmV0\n'.repeat(200)}-----END PRIVATE KEY-----`],
  ])('leaves no half of %s on either side', (_what, secret) => {
    const whole = `${'x '.repeat(4_000)}${secret}${' y'.repeat(4_000)}`
    const start = whole.indexOf(secret)
    for (let at = start; at <= start + secret.length; at += 5) {
      const over = charactersOver(whole.slice(0, at), whole.slice(at), redact)
      expect(redact(whole.slice(0, at - over)) + redact(whole.slice(at - over))).toBe(redact(whole))
    }
  })
})
