import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeScript, FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { Engine } from '@main/boot/compose'
import type { EngineClient } from '@main/cli/engine-client'
import type { StartRequest } from '@main/ports/agent-adapter'
import type { OpenedChat } from '@shared/contract/chats'
import type { RunDetail } from '@shared/contract/runs'
import type { ChatThreadId, ResumeChoice, RunId } from '@shared/model/ids'
import { clientOf, createEngineBench, startTestEngine, value, type EngineBench } from './engine-bench'

/*
 * Chats with a scripted agent in real containers.
 */

export interface ChatBench extends EngineBench {
  /** How the starts of a turn asked for their session, in order. */
  readonly asked: readonly StartRequest['session'][]
  /** What the agent of the next turns does. */
  play(script: FakeScript): void
  open(runId: RunId): Promise<OpenedChat>
  send(threadId: ChatThreadId, text: string, resumeChoice?: ResumeChoice): Promise<RunId>
  /** Sends and waits for the end of the turn. */
  say(threadId: ChatThreadId, text: string, resumeChoice?: ResumeChoice): Promise<RunDetail>
  /** The engine ends, its containers go on, and another one takes its place. */
  restart(): Promise<EngineClient>
  /** Makes an empty file in the workspace of the first issue. */
  touch(file: string): Promise<void>
  /** `role: text` of each message, oldest first. */
  messages(threadId: ChatThreadId): Promise<readonly string[]>
}

export const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
export const answers = (text: string): readonly FakeStep[] => [
  { save: '{"turn":1}' },
  { print: { type: 'text', text } },
  { print: { type: 'result', is_error: false, text } },
]
/** Prints what the agent was told. */
export const tellPrompt: FakeStep = { shell: 'sed "s/^/told: /" "/alfred/in/${ALFRED_PROMPT:-prompt}"; echo' }
export const commit = (file: string): FakeStep => ({
  shell: `echo ${file} > ${file} && git add ${file} && git commit -qm "Add ${file}"`,
})

/** `before`: what every phase run does. */
export async function createChatBench(
  before: FakeScript = { fresh: [init, ...answers('The plan.')] },
): Promise<ChatBench> {
  const asked: StartRequest['session'][] = []
  let turn: FakeScript = { fresh: [init, tellPrompt, ...answers('Because of the tide.')] }
  const adapters = [
    createFakeAdapter({
      script: (request) => {
        if (request.phase !== 'chat') return before
        const last = asked.at(-1)
        if (JSON.stringify(last) !== JSON.stringify(request.session)) asked.push(request.session)
        return turn
      },
    }),
  ]
  const bench = await createEngineBench({ adapter: 'fake', adapters })
  let successor: Engine | null = null
  const chat: ChatBench = {
    ...bench,
    asked,
    play: (script) => void (turn = script),
    open: async (runId) => value(await bench.client.call('chats', 'open', { runId })),
    send: async (threadId, text, resumeChoice = 'auto') =>
      value(await bench.client.call('chats', 'send', { threadId, text, resumeChoice })).runId,
    say: async (threadId, text, resumeChoice) => bench.ended(await chat.send(threadId, text, resumeChoice)),
    async restart() {
      await bench.stopEngine('keep')
      successor = await startTestEngine(bench.folder, adapters)
      return clientOf(successor)
    },
    touch: (file) => writeFile(join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-1`, file), ''),
    async remove() {
      await successor?.stop('stop')
      await bench.remove()
    },
    async messages(threadId) {
      const said = value(await bench.client.call('chats', 'messages', { threadId, limit: 100 }))
      return said.map(({ role, text }) => `${role}: ${text}`)
    },
  }
  return chat
}
