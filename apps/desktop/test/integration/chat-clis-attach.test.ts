import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { say, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { buildAlfred, environmentOf } from './support/alfred-process'
import { toldTo } from './support/claude-bench'
import { chatClis, createCliBench, type CliBench, type CliBenchOptions } from './support/cli-bench'
import { openTerminal } from './support/tmux'

/*
 * `alfred attach` with the real Copilot, OpenCode and Grok Build: their own screens on the session of a run, asked and
 * answered, and the next run tells its model what was said there.
 */

interface Row {
  readonly adapter: () => AgentAdapter
  readonly options: CliBenchOptions
  /** Typed to leave it. */
  readonly leave: string
  /** OpenCode keeps all its sessions in one place, where nothing proves which one the terminal was in. */
  readonly isProven: boolean
}

const rows: Readonly<Record<string, Row>> = {
  copilot: {
    adapter: createCopilotAdapter,
    options: { settings: { AGENT_PROVIDER: 'openai' } },
    leave: '/exit',
    isProven: true,
  },
  opencode: { adapter: createOpencodeAdapter, options: {}, leave: '/exit', isProven: false },
  'grok-build': {
    adapter: createGrokBuildAdapter,
    options: {
      settings: { AGENT_PROVIDER: 'xai', AGENT_CREDENTIAL_ENV: ['grok-build=XAI_API_KEY'] },
    },
    leave: '/quit',
    isProven: true,
  },
}

let program: string
beforeAll(async () => {
  vi.stubEnv('ALFRED_TOKEN_XAI_API_KEY', 'xai-for-the-scripted-model')
  await agentImageTag(testRuntime(), chatClis)
  program = await buildAlfred()
})
afterAll(() => void vi.unstubAllEnvs())

const script: Script = ({ prompt, tools }) => {
  // beside the conversation some CLIs ask for a title
  if (tools.length === 0) return say('a title')
  return prompt.includes('Which lamp')
    ? say('The third one from the harbour mouth.')
    : say('I looked at every lamp.')
}

/** What the model was told last; requests beside the conversation do not count. */
const lastTold = ({ model }: CliBench): string =>
  toldTo(model.turns().findLast(({ turn }) => turn.tools.length > 0))

/** Where no registry answers, OpenCode first waits for what it would fetch from one. */
const patience = 240_000

describe('alfred attach', () => {
  it.each(Object.entries(rows))(
    'opens the screen of %s on what was said, and the next run knows what was said there',
    async (_name, row) => {
      const bench = await createCliBench(row.adapter(), { ...row.options, script })
      try {
        await talk(bench, row)
      } finally {
        await bench.remove()
      }
    },
    900_000,
  )
})

async function talk(bench: CliBench, { leave, isProven }: Row): Promise<void> {
  const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
  const analysis = await bench.latest(mailboxId)
  expect(analysis.failure).toBeNull()
  const { runId, nativeSessionId } = analysis.row
  const words = [process.execPath, program, 'attach', String(runId)]
  const terminal = await openTerminal(words, environmentOf(bench.folder))
  try {
    await terminal.shows('I looked at every lamp.', patience)
    await terminal.type('Which lamp is it?')
    await terminal.shows('Which lamp is it?', patience)
    await terminal.press('Enter')
    await terminal.shows('The third one from the harbour mouth.', patience)
    expect(lastTold(bench)).toContain('The harbour lights')
    await terminal.type(leave)
    await terminal.shows(leave)
    await terminal.press('Enter')
    expect(await terminal.ended()).toBe(0)
  } finally {
    await terminal.close()
  }
  expect((await bench.latest(mailboxId)).row).toMatchObject({
    phase: 'terminal',
    outcome: 'succeeded',
    badge: isProven ? 'resumed' : 'unproven',
    nativeSessionId: isProven ? nativeSessionId : null,
  })
  const next = await bench.run(mailboxId, 'development')
  expect(next.row).toMatchObject({
    outcome: 'succeeded',
    badge: 'resumed',
    requestedSessionId: nativeSessionId,
  })
  for (const said of ['The harbour lights', 'Which lamp is it?', 'The third one', 'Phase: development'])
    expect(lastTold(bench)).toContain(said)
}
