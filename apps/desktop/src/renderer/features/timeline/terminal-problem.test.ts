import { describe, expect, it } from 'vitest'
import { terminalProblem } from './terminal-problem'

describe('why no terminal was opened', () => {
  it('names the command that can be typed where no program opens', () => {
    const problem = { type: 'no_terminal', message: 'kitty ended at once.', command: 'alfred attach 5' }
    expect(terminalProblem(5, problem)).toEqual({
      text: 'kitty ended at once. The command for a terminal of yours: alfred attach 5',
      command: 'alfred attach 5',
    })
  })

  it('names the run that uses the session, and how to take over', () => {
    expect(terminalProblem(5, { type: 'already_running', runId: 7, phase: 'review_fix' })).toEqual({
      text: 'Run 7, review fix, is using this session. Wait for its end, or stop it and go on in a terminal: alfred attach 5 --take-over',
      command: 'alfred attach 5 --take-over',
    })
  })

  it('offers the fresh start where the memory is gone, and nothing where nothing helps', () => {
    const gone = { type: 'state_missing', message: 'It is gone.' }
    expect(terminalProblem(5, gone)).toEqual({ text: 'It is gone.', command: 'alfred attach 5 --fresh' })
    expect(terminalProblem(5, { type: 'no_agent', message: 'No agent.' })).toEqual({
      text: 'No agent.',
      command: null,
    })
  })

  it('names the login of an agent that is not signed in', () => {
    const problem = { type: 'login_missing', adapter: 'codex', message: 'codex is not signed in.' } as const
    expect(terminalProblem(5, problem)).toEqual({
      text: 'codex is not signed in.',
      command: 'alfred agents login codex',
    })
  })
})
