import { describe, expect, it } from 'vitest'
import type { InstallationRow } from '@shared/contract/app'
import { ok, type Result } from '@shared/result'
import type { Command, CommandContext } from '../command'
import type { EngineClient } from '../engine-client'
import { createOutput } from '../output'
import { parseArguments } from '../usage'
import { agentsAskCommand, agentsBuildCommand, agentsCheckCommand, agentsListCommand } from './agents'

const row = (part: Partial<InstallationRow> = {}): InstallationRow => ({
  adapter: 'codex',
  runner: 'container',
  imageTag: 'alfred-agent:1',
  imageDigest: 'sha256:abc1',
  version: '0.171.0',
  resumable: true,
  reason: null,
  projectReasons: [],
  verifiedRange: '0.99.0 to 0.171.0',
  pinLine: null,
  statePath: '/home/agent/.codex/sessions',
  loginState: 'found',
  loginEndsAt: null,
  loginSource: null,
  loginMounts: 0,
  loginProof: null,
  projectLogins: [],
  detectedAt: 0,
  ...part,
})
const other = row({ imageTag: 'alfred-agent:2', imageDigest: 'sha256:def2' })
const claude = row({
  adapter: 'claude-code',
  version: '9.0.0',
  resumable: false,
  reason: 'Outside.',
  loginEndsAt: Date.now() + 2 * 86_400_000 + 60_000,
})
const absent = row({ adapter: 'opencode', version: null, resumable: false, reason: 'Not found.' })

/** Runs one command against an engine that answers what `answers` says; what was asked and printed. */
async function play(
  command: Command,
  words: readonly string[],
  answers: Readonly<Record<string, Result<unknown, unknown>>> = {},
) {
  const asked: (readonly [string, unknown])[] = []
  let printed = ''
  const call = async (_domain: string, name: string, input: unknown) => {
    asked.push([name, input])
    return (
      answers[name] ?? ok(name === 'agents' || name === 'checkAgents' ? [row(), other, claude, absent] : [])
    )
  }
  const args = parseArguments(command, [...words])
  if (!args.ok) throw new Error(args.error.message)
  if (command.needs === 'data') throw new Error('it needs an engine')
  const context: Partial<CommandContext> = {
    client: { call } as unknown as EngineClient,
    args: args.value,
    output: createOutput(
      (text) => (printed += text),
      (text) => (printed += text),
    ),
    spell: (text) => text,
  }
  const result = await command.run(context as CommandContext)
  return { asked, printed, result }
}

describe('alfred agents', () => {
  it('lists what was found, after a look which images are gone', async () => {
    const { asked, printed, result } = await play(agentsListCommand, [])
    expect(result).toEqual(ok(0))
    expect(asked.map(([name]) => name)).toEqual(['agentImages', 'agents'])
    const lines = printed.trimEnd().split('\n')
    expect(lines[1]).toMatch(/^codex +0\.171\.0 +alfred-agent:1 +yes +0\.99\.0 to 0\.171\.0 +found$/)
    expect(lines[3]).toMatch(/^claude-code +9\.0\.0 .* no .* expires in 2d +Outside\.$/)
    expect(lines[4]).toMatch(/^opencode +- .* no .* - +Not found\.$/)
  })

  it('says so when nothing was found, and prints for programs', async () => {
    const nothing = await play(agentsListCommand, [], { agents: ok([]) })
    expect(nothing.printed).toBe('No agent was found yet: "alfred agents check" looks for them.\n')
    const json = await play(agentsListCommand, ['--json'], { agents: ok([claude]) })
    expect(JSON.parse(json.printed)).toMatchObject([
      { adapter: 'claude-code', login_ends_at: expect.stringMatching(/^20\d\d-/) },
    ])
  })

  it('checks all, one adapter wherever it is, or what is in one image', async () => {
    expect((await play(agentsCheckCommand, [])).asked).toEqual([['checkAgents', {}]])
    const checked = { checkInstallation: ok(row()) }
    const codex = await play(agentsCheckCommand, ['codex'], checked)
    expect(codex.asked.slice(1)).toEqual([
      ['checkInstallation', { adapter: 'codex', runner: 'container', imageDigest: 'sha256:abc1' }],
      ['checkInstallation', { adapter: 'codex', runner: 'container', imageDigest: 'sha256:def2' }],
    ])
    expect((await play(agentsCheckCommand, ['codex', '--image', 'def'], checked)).asked).toHaveLength(2)
    expect((await play(agentsCheckCommand, ['--image', 'alfred-agent:1'], checked)).asked).toHaveLength(4)
    expect((await play(agentsCheckCommand, ['grok-build'])).result).toMatchObject({
      ok: false,
      error: { message: 'grok-build was not found anywhere. "alfred agents list" shows what was.' },
    })
  })

  it('asks the provider, and fails where the login is not good', async () => {
    const answer = { outcome: 'answered', message: null, tookMs: 2_000, costUsd: 0.0004, askedAt: 1 }
    const good = await play(agentsAskCommand, ['codex'], { probeLogin: ok(answer) })
    expect(good).toMatchObject({
      result: ok(0),
      printed: 'The login is good: the provider answered in 2s, cost $0.0004.\n',
    })
    const no = { ...answer, outcome: 'refused', message: 'no such key' }
    const refused = await play(agentsAskCommand, ['codex'], { probeLogin: ok(no) })
    expect(refused).toMatchObject({
      result: ok(1),
      printed: 'The provider refuses this login: no such key\n',
    })
    expect((await play(agentsAskCommand, ['opencode'])).result).toMatchObject({
      error: { message: 'opencode is in no image.' },
    })
  })

  it('builds on a base', async () => {
    const built = { buildImage: ok({ tag: 'alfred-agent:3', digest: 'sha256:3' }) }
    const { asked, printed } = await play(agentsBuildCommand, ['java:21'], built)
    expect(asked).toEqual([['buildImage', { base: 'java:21' }]])
    expect(printed).toBe('alfred-agent:3 is there (sha256:3).\n')
    expect((await play(agentsBuildCommand, [], built)).asked).toEqual([['buildImage', {}]])
  })
})
