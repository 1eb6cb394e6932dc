import { describe, expect, it } from 'vitest'
import { toLogin } from './login'

describe('toLogin', () => {
  it.each([
    ['ada', 'ada'],
    ['Ada.Lovelace', 'Ada.Lovelace'],
    ['CORP\\ada', 'ada'],
    ['renée dupont', 'renee-dupont'],
    ['_www', 'www'],
    ['', 'me'],
    ['😀', 'me'],
    ['alfred', 'alfred-me'],
    ['Alfred', 'Alfred-me'],
  ])('makes %s the login %s', (userName, login) => {
    expect(toLogin(userName)).toBe(login)
  })
})
