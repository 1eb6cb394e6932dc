import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import type { ImageCli } from '@shared/model/words'
import { say, type Script } from '../fakes/model-server/answers'
import { openaiResponses } from '../fakes/model-server/openai-responses'
import { agentImageTag, testRuntime } from './support/agent-container'
import { buildAlfred, environmentOf } from './support/alfred-process'
import { toldTo } from './support/claude-bench'
import { createCliBench, type CliBench } from './support/cli-bench'
import { openTerminal, type Terminal } from './support/tmux'

/*
 * `alfred attach` with the real Codex, with a model in place of which it would offer another one first.
 */

const clis: readonly ImageCli[] = ['codex']
const model = 'gpt-5.5'

let program: string
let bench: CliBench
let terminal: Terminal | null = null
beforeAll(async () => {
  await agentImageTag(testRuntime(), clis)
  program = await buildAlfred()
})
afterEach(async () => {
  await terminal?.close()
  terminal = null
  await bench.remove()
})

const script: Script = (turn) =>
  turn.prompt.includes('Which lamp')
    ? say('The third one from the harbour mouth.')
    : say('I looked at every lamp.')

async function signIn(): Promise<void> {
  const folder = join(bench.folder, '.agent-credentials', 'codex')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const login = JSON.stringify({ OPENAI_API_KEY: 'sk-for-the-scripted-model' })
  await writeFile(join(folder, 'auth.json'), login, { mode: 0o600 })
}

describe('alfred attach with codex', () => {
  it('opens on what was said, asks nothing first, and stays with the model that was chosen', async () => {
    const providerConfiguration = { request_max_retries: 0, stream_max_retries: 0 }
    bench = await createCliBench(createCodexAdapter({ providerConfiguration }), {
      script,
      clis,
      protocols: [openaiResponses],
      settings: { AGENT_PROVIDER: null, AGENT_MODEL: model },
    })
    await signIn()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const analysis = await bench.latest(mailboxId)
    expect(analysis.failure).toBeNull()

    const words = [process.execPath, program, 'attach', String(analysis.row.runId)]
    terminal = await openTerminal(words, environmentOf(bench.folder))
    await terminal.shows('I looked at every lamp.')
    await terminal.type('Which lamp is it?')
    await terminal.shows('Which lamp is it?')
    await terminal.press('Enter')
    await terminal.shows('The third one from the harbour mouth.')
    // Beside the conversation the CLI asks for a title, sooner or later.
    const asked = bench.model.turns().findLast(({ turn }) => turn.number > 1)
    expect(asked?.body).toMatchObject({ model })
    expect(toldTo(asked)).toContain('The harbour lights')

    await terminal.type('/quit')
    await terminal.shows('/quit')
    await terminal.press('Enter')
    expect(await terminal.ended()).toBe(0)
    const talk = await bench.latest(mailboxId)
    const { nativeSessionId } = analysis.row
    expect(talk.row).toMatchObject({
      phase: 'terminal',
      outcome: 'succeeded',
      badge: 'resumed',
      nativeSessionId,
    })
  })
})
