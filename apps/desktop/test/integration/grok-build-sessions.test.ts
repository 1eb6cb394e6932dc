import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { cliPackages } from '@main/core/agents/image-clis'
import { countTurns, say, type Script, type ToolCall } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { toldTo } from './support/claude-bench'
import { chatClis, createCliBench, type CliBench } from './support/cli-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions of the real Grok Build: what the model is told in a run proves what the agent remembers.
 */

let bench: CliBench
beforeAll(() => agentImageTag(testRuntime(), chatClis))
afterEach(async () => {
  await bench.remove()
  vi.unstubAllEnvs()
})

/** Requests of the conversation: beside them the CLI asks for titles and summaries. */
const turnsOf = ({ model }: CliBench) => model.turns().filter(({ turn }) => turn.tools.length > 0)

function benchOf(script: Script = countTurns): Promise<CliBench> {
  vi.stubEnv('ALFRED_TOKEN_XAI_API_KEY', 'xai-for-the-scripted-model')
  return createCliBench(createGrokBuildAdapter(), {
    script,
    settings: { AGENT_PROVIDER: 'xai', AGENT_CREDENTIAL_ENV: ['grok-build=XAI_API_KEY'] },
  })
}

const write = (path: string): ToolCall => ({
  kind: 'tool',
  name: 'write',
  input: { file_path: path, path, target_file: path, content: 'x', contents: 'x' },
})

describe('two runs of an issue with grok-build', () => {
  it('share one memory: the second one tells the model what the first one was told and said', async () => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    expect(first.failure).toBeNull()
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])

    const [ofFirst, ofSecond, ...others] = turnsOf(bench)
    expect(others).toEqual([])
    expect([ofFirst?.turn.number, ofSecond?.turn.number]).toEqual([1, 2])
    for (const words of ['Phase: analysis', 'Phase: development', 'The harbour lights', 'turn 1'])
      expect(toldTo(ofSecond)).toContain(words)

    const sessions = await bench.sessions(mailboxId)
    expectRemembered(sessions)
    expect(sessions[0]).toMatchObject({
      adapter: 'grok-build',
      chosenSessionId: sessions[0]?.nativeSessionId,
    })
    expect(second.row).toMatchObject({
      badge: 'resumed',
      adapterVersion: cliPackages['grok-build'].version,
      turns: 1,
    })
  })

  it('refuse a memory that may not be written, though the CLI says that it is gone, and warn of it', async () => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue()
    await bench.latest(mailboxId)
    execFileSync('chmod', ['-R', 'a-w', bench.stateFolder(1, 'grok-build')])
    const second = await bench.run(mailboxId, 'development')
    expect(second.row).toMatchObject({ outcome: 'succeeded', badge: 'refused', attempts: 1 })
    expect(await bench.texts(second.row.runId, 'warning')).toContainEqual(
      expect.stringContaining('The state of the session cannot be written'),
    )
  })

  it.each([
    ['is gone', (folder: string) => rm(folder, { recursive: true })],
    // The CLI itself would go on with an empty memory and say nothing.
    ['reads no more', (folder: string) => writeFile(join(folder, 'chat_history.jsonl'), 'garbage\n')],
    ['cannot be opened', (folder: string) => writeFile(join(folder, 'summary.json'), 'garbage\n')],
  ])('begin anew in the same run when the memory %s', async (_what, damage) => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const { row: first } = await bench.latest(mailboxId)
    await damage(join(bench.stateFolder(1, 'grok-build'), '%2Fworkspace', first.nativeSessionId ?? ''))
    bench.model.play(countTurns)
    const second = await bench.run(mailboxId, 'development')
    expect(second.row).toMatchObject({
      outcome: 'succeeded',
      badge: 'state_missing',
      resumed: false,
      attempts: 1,
    })
    expect(second.row.nativeSessionId).not.toBe(first.nativeSessionId)
    expect(turnsOf(bench).map(({ turn }) => turn.number)).toEqual([1])
  })
})

describe('a phase that only reads', () => {
  it('has its edits of the workspace denied, and told, though the CLI exits with 0', async () => {
    const calls = [write('/workspace/not-allowed.txt'), write('/alfred/out/notes.txt')]
    bench = await benchOf(({ toolResults, tools }) =>
      tools.length === 0 ? say('a title') : (calls[toolResults] ?? say('the plan')),
    )
    const mailboxId = await bench.newIssue()
    const { row } = await bench.latest(mailboxId)
    expect(row.outcome).toBe('succeeded')
    expect(await bench.texts(row.runId, 'warning')).toEqual([
      expect.stringMatching(/^write was denied: .*deny rule on edit/) as string,
    ])
    expect(toldTo(turnsOf(bench).at(-1))).toContain('The file /alfred/out/notes.txt has been created.')
  })
})
