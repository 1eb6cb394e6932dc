import { describe, expect, it } from 'vitest'
import { consentWords } from './consent-words'

describe('what is asked before login files are mounted', () => {
  const mounts = ['claude-code=/home/me/.claude.json:/home/agent/.claude.json', 'codex=/h/a:/home/agent/a']
  const words = consentWords('AGENT_CREDENTIAL_MOUNTS', 'project', mounts)

  it('names every file, where it lies inside, and that it is read-only', () => {
    expect(words.details).toEqual([
      'claude-code: /home/me/.claude.json → /home/agent/.claude.json, read-only',
      'codex: /h/a → /home/agent/a, read-only',
    ])
  })

  it('says what can happen to the own login, and what else there is', () => {
    expect(words.text).toMatch(/a refresh inside a run can sign you out on this computer/)
    expect(words.note).toMatch(/\.agent-credentials .* or a key \(AGENT_CREDENTIAL_ENV\)/)
  })

  it('says in whose runs', () => {
    const titles = (['app', 'organization', 'project'] as const).map(
      (scope) => consentWords('AGENT_CREDENTIAL_MOUNTS', scope, mounts).title,
    )
    expect(titles).toEqual([
      'Mount login files into the runs of all projects?',
      "Mount login files into the runs of this organization's projects?",
      'Mount login files into the runs of this project?',
    ])
  })
})
