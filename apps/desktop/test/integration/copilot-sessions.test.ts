import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { cliPackages } from '@main/core/agents/image-clis'
import { countTurns, say, type Script, type ToolCall } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { toldTo } from './support/claude-bench'
import { chatClis, createCliBench, type CliBench } from './support/cli-bench'
import { value } from './support/engine-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * Named sessions of the real Copilot CLI: what the model is told in a run proves what the agent remembers.
 */

let bench: CliBench
beforeAll(() => agentImageTag(testRuntime(), chatClis))
afterEach(() => bench.remove())

const benchOf = (script?: Script): Promise<CliBench> =>
  createCliBench(createCopilotAdapter(), {
    ...(script === undefined ? {} : { script }),
    settings: { AGENT_PROVIDER: 'openai' },
  })

const create = (path: string): ToolCall => ({
  kind: 'tool',
  name: 'create',
  input: { path, file_text: 'allowed' },
})

describe('two runs of an issue with copilot', () => {
  it('share one memory: the second one tells the model what the first one was told and said', async () => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    expect(first.failure).toBeNull()
    const second = await bench.run(mailboxId, 'development')
    expect([first.row.outcome, second.row.outcome]).toEqual(['succeeded', 'succeeded'])

    const [ofFirst, ofSecond, ...others] = bench.model.turns()
    expect(others).toEqual([])
    expect([ofFirst?.turn.number, ofSecond?.turn.number]).toEqual([1, 2])
    for (const words of ['Phase: analysis', 'Phase: development', 'The harbour lights', 'turn 1'])
      expect(toldTo(ofSecond)).toContain(words)

    const sessions = await bench.sessions(mailboxId)
    expectRemembered(sessions)
    expect(sessions[0]).toMatchObject({ adapter: 'copilot', chosenSessionId: sessions[0]?.nativeSessionId })
    expect(second.row).toMatchObject({
      badge: 'resumed',
      adapterVersion: cliPackages.copilot.version,
      turns: 1,
    })
    // Of the run, though the CLI sums up over the session: 122 asked of which 20 were cached, and 7 answered.
    expect(second.row).toMatchObject({ inputTokens: 102, cachedTokens: 20, outputTokens: 7 })
  })

  it('are proven to be one by what was added to it, also when the second one never tells its id', async () => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const first = await bench.latest(mailboxId)
    const file = join(bench.stateFolder(1, 'copilot'), first.row.nativeSessionId ?? '', 'events.jsonl')
    const { size } = await stat(file)
    bench.model.play(() => ({ kind: 'hang', after: 'nothing' }))
    const runId = await bench.request(mailboxId, 'development')
    await bench.model.until(({ turn }) => turn !== null)
    // It asks the model and writes its file at the same time.
    await bench.until(async () => ((await stat(file)).size > size ? true : null))
    value(await bench.client.call('runs', 'stop', { runId }))
    const { row } = await bench.ended(runId)
    expect(await bench.texts(runId, 'session')).toEqual([])
    expect(row).toMatchObject({
      outcome: 'stopped',
      resumed: true,
      nativeSessionId: first.row.nativeSessionId,
    })
  })

  it('begin anew in the same run when the memory is gone', async () => {
    bench = await benchOf()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const { row: first } = await bench.latest(mailboxId)
    const folder = join(bench.stateFolder(1, 'copilot'), first.nativeSessionId ?? '')
    await rm(folder, { recursive: true })
    bench.model.play(countTurns)
    const second = await bench.run(mailboxId, 'development')
    expect(second.row).toMatchObject({
      outcome: 'succeeded',
      badge: 'state_missing',
      resumed: false,
      attempts: 1,
    })
    expect(second.row.nativeSessionId).not.toBe(first.nativeSessionId)
    expect(bench.model.turns().map(({ turn }) => turn.number)).toEqual([1])
  })
})

describe('a phase that only reads', () => {
  it('has its edits of the workspace denied, and told, though the CLI exits with 0', async () => {
    const calls = [create('/workspace/not-allowed.txt'), create('/alfred/out/notes.txt')]
    bench = await benchOf(({ toolResults }) => calls[toolResults] ?? say('the plan'))
    const mailboxId = await bench.newIssue()
    const { row } = await bench.latest(mailboxId)
    expect(row.outcome).toBe('succeeded')
    expect(await bench.texts(row.runId, 'warning')).toEqual([
      expect.stringMatching(/^create was denied: Permission to run this tool was denied/) as string,
    ])
    expect(toldTo(bench.model.turns().at(-1))).toContain('Created file /alfred/out/notes.txt')
  })
})
