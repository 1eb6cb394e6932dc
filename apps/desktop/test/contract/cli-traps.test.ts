import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stateGrowth } from '@shared/timeline/state-growth'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { proveByGrowth, proveResume, startProof } from '@main/core/session/prove-resume'
import type { AgentAdapter, StartRequest } from '@main/ports/agent-adapter'
import { readSamples, type RecordedSamples } from './recorded-samples'

/*
 * What these CLIs do that a run must not fall for, each told by what the real binary was recorded to do, and by what
 * Alfred makes of it. The rows of docs/cli-matrix.md show the same on the binaries themselves.
 */

const id = '0f3b9a52-5c1e-4d7a-9b60-2f1f0c9d8e77'
const name = 'agent/issue-7-sign-in'

const claude = {
  adapter: createClaudeCodeAdapter(),
  samples: readSamples('claude-code', createClaudeCodeAdapter),
}
const codex = { adapter: createCodexAdapter(), samples: readSamples('codex', () => createCodexAdapter()) }
const opencode = { adapter: createOpencodeAdapter(), samples: readSamples('opencode', createOpencodeAdapter) }
const copilot = { adapter: createCopilotAdapter(), samples: readSamples('copilot', createCopilotAdapter) }
const grok = { adapter: createGrokBuildAdapter(), samples: readSamples('grok-build', createGrokBuildAdapter) }

const start = (adapter: AgentAdapter, change: Partial<StartRequest> = {}) =>
  adapter.start({
    session: { mode: 'none' },
    phase: 'development',
    model: null,
    provider: null,
    baseUrl: null,
    readOnly: false,
    runner: 'container',
    ...change,
  })
const resumed = (adapter: AgentAdapter, nativeId = id) =>
  start(adapter, { session: { mode: 'resume', name, nativeId } })

/** What a run makes of the first id that it is told. */
function stopOf({ adapter, samples }: { adapter: AgentAdapter; samples: RecordedSamples }, sample: string) {
  const { sawSession } = samples.play(sample).ended
  const state = startProof({
    asked: id,
    isOwn: false,
    isOff: false,
    isByGrowth: false,
    pattern: adapter.sessionIdPattern,
  })
  return proveResume(state, { nativeId: sawSession ?? '' }).stop
}

describe('Codex', () => {
  it.each([
    'v0.44.0.resume-unknown-id',
    'v0.99.0.resume-unknown-id',
    'resume-malformed-id',
    'resume-empty-id',
  ])('begins another thread without a word and ends with 0 (%s): it is stopped, state_missing', (sample) => {
    expect(codex.samples.play(sample).ended).toMatchObject({ exitCode: 0, result: { succeeded: true } })
    expect(stopOf(codex, sample)).toBe('state_missing')
  })

  it.each(['', 'not-a-uuid', name, id.toUpperCase()])('is never asked for the malformed id %j', (malformed) =>
    expect(() => resumed(codex.adapter, malformed)).toThrow('must not reach a command line'),
  )

  it('keeps absolute paths in its databases, which win over the sessions: none of them is kept', () => {
    const { ended } = codex.samples.play('resume-whole-codex-home-moved')
    expect(codex.adapter.resumeFailure(ended)).toBe('state_missing')
    expect(codex.adapter.sessionStatePath).toBe('/home/agent/.codex/sessions')
    expect(codex.adapter.scratchPaths).toEqual(['/home/agent/.codex'])
  })
})

describe('Claude Code', () => {
  it('saves nothing in a read-only state and ends well without a warning: the size tells', () => {
    const { events, ended } = claude.samples.play('resume-readonly-projects')
    expect(ended).toMatchObject({ exitCode: 0, result: { succeeded: true } })
    expect(events.filter(({ kind }) => kind === 'warning')).toEqual([])
    const row = {
      mode: 'resume',
      resumed: true,
      nativeSessionId: id,
      stateBytesBefore: 7,
      endedAt: 1,
    } as const
    expect(stateGrowth({ ...row, stateBytesAfter: 7 }).isNotSaved).toBe(true)
    expect(stateGrowth({ ...row, stateBytesAfter: 8 }).isNotSaved).toBe(false)
  })

  it('deletes sessions that nobody used for 30 days, unless it is told to keep them', () =>
    expect(JSON.parse(start(claude.adapter).files['home-1'] ?? '')).toMatchObject({
      cleanupPeriodDays: 3650,
    }))
})

describe('OpenCode', () => {
  it('holds most of its sessions in the write-ahead log: the whole folder is the state', () => {
    const { ended } = opencode.samples.play('corrupt-wal-lost')
    expect(opencode.adapter.resumeFailure(ended)).toBe('state_missing')
    expect(opencode.adapter.sessionFile('ses_dd88cb82bffevRdfFw1ELaLIKb')).toBeNull()
    const session = { mode: 'fresh', name, chosenId: null } as const
    expect(start(opencode.adapter, { session }).environment).toMatchObject({
      OPENCODE_DB: `${opencode.adapter.sessionStatePath}/opencode.db`,
    })
  })

  it('hangs in another directory than its session’s: every resume names the one', () =>
    expect(resumed(opencode.adapter, 'ses_dd88cb82bffevRdfFw1ELaLIKb').argv).toContain('--dir=/workspace'))

  it('hangs while its standard input is open: it gets a file, which ends', () => {
    const entry = readFileSync(join(import.meta.dirname, '../../resources/entry/alfred-entry'), 'utf8')
    expect(entry).toContain('prompt=$input/')
    expect(entry).toContain('"$@" < "$prompt" >> "$out/stream.out"')
  })
})

describe('Copilot', () => {
  it('begins a new session under an id that --session-id does not find: a resume is asked for by --resume alone', () => {
    expect(copilot.samples.play('session-id-unknown').ended).toMatchObject({
      exitCode: 0,
      result: { succeeded: true },
    })
    expect(resumed(copilot.adapter).argv).toContain(`--resume=${id}`)
    expect(resumed(copilot.adapter).argv.join(' ')).not.toContain('--session-id')
  })

  it('tells its id in its last line only: growth of the session is the proof, and no growth takes it back', () => {
    const kinds = copilot.samples.play('fresh-json').events.map(({ kind }) => kind)
    expect(kinds.indexOf('session')).toBeGreaterThan(kinds.indexOf('text'))
    const told = { asked: id, bytesBefore: 10 }
    expect(proveByGrowth({ ...told, seen: null, bytesAfter: 11 })).toMatchObject({ resumed: true })
    expect(proveByGrowth({ ...told, seen: id, bytesAfter: 10 })).toEqual({ resumed: false })
    expect(proveByGrowth({ ...told, seen: 'another', bytesAfter: 11 })).toEqual({})
  })
})

describe('a CLI that tries again for minutes', () => {
  it.each([
    ['OpenCode', opencode, 'err-e500'],
    ['Grok Build', grok, 'err-500'],
  ] as const)('%s tells no end: what was killed is no success and no failed resume', (_cli, cli, sample) => {
    const { ended } = cli.samples.play(sample)
    // Killed by the recorder, as a run is by its own time limit, which holds for every CLI.
    expect([ended.result, ended.exitCode, cli.adapter.tellsResult]).toEqual([null, null, true])
    expect(cli.adapter.resumeFailure(ended)).toBeNull()
  })
})

describe('a tool that was denied ends with 0', () => {
  const deniedOf = ({ samples }: { readonly samples: RecordedSamples }, sample: string) => {
    const { events, ended } = samples.play(sample)
    expect(ended.exitCode).toBe(0)
    const result = events.findLast((event) => event.kind === 'result')
    return result?.kind === 'result' ? result.deniedTools : null
  }
  it('and is told by Claude Code', () =>
    expect(deniedOf(claude, 'tool-use-denied-default-mode')).not.toEqual([]))
  it('and is told by Grok Build', () =>
    expect(deniedOf(grok, 'tool-denied')).toEqual(['write', 'run_terminal_command']))
  it('and is told by Copilot', () => expect(deniedOf(copilot, 'tool-no-allow')).toEqual(['bash']))
  // OpenCode allows everything unless it is told otherwise: opencode-samples.test.ts has its words, and
  // opencode-sessions.test.ts a denial on the binary.
})
