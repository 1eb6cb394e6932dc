import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LoginActions } from './login-actions'

const html = (adapter: string): string =>
  renderToStaticMarkup(
    <LoginActions banner={{ code: 'login_missing', severity: 'warn', facts: { adapter, until: 9 } }} />,
  )

it('an agent that is not signed in is signed in in a terminal', () => {
  expect(html('claude-code')).toContain('Sign in in a terminal: claude-code')
  expect(html('claude-code')).not.toContain('How to sign in')
})

it('what has a key and no login leads to where that is said', () => {
  expect(html('api')).toContain('How to sign in')
  expect(html('api')).not.toContain('in a terminal')
})
