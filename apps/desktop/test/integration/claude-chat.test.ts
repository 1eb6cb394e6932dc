import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { bash, say, write, type Script } from '../fakes/model-server/answers'
import { agentImageTag, testRuntime } from './support/agent-container'
import { createClaudeBench, toldTo, type ClaudeBench } from './support/claude-bench'
import { value } from './support/engine-bench'

/*
 * A chat with the real Claude Code: what the model is told in a turn proves what the agent remembers.
 */

let bench: ClaudeBench
beforeAll(() => agentImageTag(testRuntime(), ['claude-code']))
afterEach(() => bench.remove())

const commandLines = bash(`for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < "$file"; echo; done`)

const questions = ['What went wrong?', 'Mend it, please.', 'Is it whole now?']

/** A plan; a development that begins and fails; turns that look at how they were started, and commit in the second. */
function newScript(): Script {
  const calls = new Map<string, number>()
  return (turn) => {
    const question = questions.findLast((text) => turn.prompt.includes(text))
    if (question !== undefined) {
      const made = calls.get(question) ?? 0
      calls.set(question, made + 1)
      const commit = bash('git add half.txt && git commit -qm "Add half.txt"')
      const all = question.startsWith('Mend') ? [commandLines, commit] : [commandLines]
      return all[made] ?? say(`I answer “${question}”.`)
    }
    if (turn.prompt.includes('Phase: analysis')) return say('the plan')
    const half = [write('/workspace/half.txt', 'half'), bash('echo no JSON > /alfred/out/result.json')]
    return half[turn.toolResults] ?? say('I am done.')
  }
}

/** The words of a request to the model that is the last of a turn. */
const lastTold = (): string => toldTo(bench.model.turns().at(-1))

describe('a chat with claude-code', () => {
  it('resumes the session of the failed run in each turn, and the next phase run holds all of it', async () => {
    bench = await createClaudeBench({ script: newScript() })
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    await bench.latest(mailboxId)
    const development = await bench.run(mailboxId, 'development')
    expect(development.row).toMatchObject({ outcome: 'result_refused', badge: 'resumed' })
    const id = development.row.nativeSessionId ?? ''
    const chat = value(await bench.client.call('chats', 'open', { runId: development.row.runId }))
    expect(chat.nativeSessionId).toBe(id)

    const heard = ['The harbour lights', 'Phase: development', 'half.txt', 'I am done.']
    for (const text of questions) {
      const sent = { threadId: chat.threadId, text, resumeChoice: 'auto' } as const
      const { runId } = value(await bench.client.call('chats', 'send', sent))
      const turn = await bench.ended(runId)
      expect(turn.row).toMatchObject({
        phase: 'chat',
        outcome: 'succeeded',
        badge: 'resumed',
        nativeSessionId: id,
      })
      heard.push(text)
      for (const words of heard) expect(lastTold()).toContain(words)
      heard.push(`I answer “${text}”.`)
      expect(await toolOutputs(runId)).toContain(`--resume ${id}`)
    }
    const said = value(await bench.client.call('chats', 'messages', { threadId: chat.threadId, limit: 9 }))
    expect(said.map(({ text }) => text)).toEqual(questions.flatMap((text) => [text, `I answer “${text}”.`]))

    // What was committed in the second turn is offered, and pushed on a click.
    const push = value(await bench.client.call('mailboxes', 'pendingPush', { mailboxId }))
    expect(push).toMatchObject({ commits: 1, patch: expect.stringContaining('half.txt') })
    if (push === null) throw new Error('no push waits')
    const { runId: ofPush, headSha } = push
    value(await bench.client.call('mailboxes', 'approvePush', { mailboxId, headSha }))
    // a run begins with what is on the forge, so it waits for that
    await bench.until(async () => {
      const { outbox } = value(await bench.client.call('runs', 'get', { runId: ofPush }))
      return outbox.some(({ kind, state }) => kind === 'push' && state === 'sent') ? true : null
    })
    bench.model.play(() => say('done'))
    const next = await bench.run(mailboxId, 'development')
    expect(next.row).toMatchObject({ badge: 'resumed', requestedSessionId: id })
    for (const words of heard) expect(lastTold()).toContain(words)
  })
})

async function toolOutputs(runId: RunId): Promise<string> {
  const { events } = value(
    await bench.client.call('runs', 'events', { runId, afterSeq: 0, beforeSeq: null, limit: 1000 }),
  )
  return events.map(({ payload }) => payload.output ?? '').join('\n')
}
