import { expect, it } from 'vitest'
import { repositoryUrl, toBaseUrl } from './base-url'

it.each([
  ['https://forge.example', 'https://forge.example'],
  [' https://forge.example/ ', 'https://forge.example'],
  ['forge.example', 'https://forge.example'],
  ['forge.example:3000/git/', 'https://forge.example:3000/git'],
  ['http://forge.example:3000/git/api/v1/', 'http://forge.example:3000/git'],
  ['https://forge.example/git/?a=b#c', 'https://forge.example/git'],
])('%s is kept as %s', (pasted, kept) => {
  expect(toBaseUrl(pasted)).toEqual({ ok: true, value: kept })
})

it.each(['', 'ssh://forge.example', 'https://me:secret@forge.example', 'https://'])(
  '%s is refused',
  (pasted) => {
    const refused = toBaseUrl(pasted)
    expect(refused.ok).toBe(false)
    expect(JSON.stringify(refused)).not.toContain('secret')
  },
)

it('builds an address from the base alone', () => {
  expect(repositoryUrl('https://forge.example/git', 'acme/a b')).toBe('https://forge.example/git/acme/a%20b')
})
