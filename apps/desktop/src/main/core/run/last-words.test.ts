import { describe, expect, it } from 'vitest'
import { errorLine, lastLine } from './last-words'

const stack = `/opt/agent/cli.js:5
	return this.load(id)
	            ^

SessionError: session 1 cannot be read: line 2 is no JSON
    at load (/opt/agent/cli.js:5:14)
    at async file:///opt/agent/cli.js:90:3 {
  code: 'SESSION_ERROR'
}

Node.js v24.21.0
`

describe('the last words of a program', () => {
  it('are its error message, not the place in the program', () =>
    expect(errorLine(stack)).toBe('SessionError: session 1 cannot be read: line 2 is no JSON'))

  it.each([
    ['error: no such model\nsee --help', 'error: no such model'],
    ['git: fatal: not a repository\nbye', 'git: fatal: not a repository'],
    ['npm ERR! code 1\nnpm notice', 'npm ERR! code 1'],
    ['first\nlast words\n\n', 'last words'],
    ['error: first\nerror: second\n    at x (y.js:1:1)', 'error: second'],
  ])('of %j are %j', (text, words) => expect(errorLine(text)).toBe(words))

  it('are none when it printed nothing but places', () =>
    expect(errorLine('    at a (b:1:2)\n}\n')).toBeNull())

  it('are short', () => expect(errorLine(`error: ${'x'.repeat(9_000)}`)).toHaveLength(500))

  it('of an answer are its last line, whatever the lines before speak of', () => {
    expect(lastLine('Errors are handled now.\nI gave up\n')).toBe('I gave up')
    expect(lastLine('   \n')).toBeNull()
  })
})
