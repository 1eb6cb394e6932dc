import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PendingPush } from '@shared/contract/mailboxes'
import type { MailboxId, RunId } from '@shared/model/ids'
import { answers, commit, createChatBench, init, type ChatBench } from './support/chat-bench'
import { value } from './support/engine-bench'

/*
 * What a chat commits: it lies in the workspace as the last run left it, nothing of it goes to the forge by itself, and
 * phase runs wait until a person has decided.
 */

let bench: ChatBench
let mailboxId: MailboxId
let chat: Awaited<ReturnType<ChatBench['open']>>

/** A development that failed and left one file uncommitted. */
beforeEach(async () => {
  bench = await createChatBench({
    fresh: [init, { save: '{}' }, { shell: 'echo half > half.txt' }, { printError: 'no idea' }, { exit: 1 }],
  })
  mailboxId = await bench.newIssue()
  await bench.latest(mailboxId)
  const run = await bench.run(mailboxId, 'development')
  expect(run.row.outcome).toBe('failed')
  chat = await bench.open(run.row.runId)
  bench.play({ fresh: [init, { shell: 'cat half.txt' }, commit('one.txt'), ...answers('Mended.')] })
})
afterEach(() => bench.remove())

const pending = async (): Promise<PendingPush | null> =>
  value(await bench.client.call('mailboxes', 'pendingPush', { mailboxId }))
const waiting = async () => {
  const push = await pending()
  if (push === null) throw new Error('no push waits')
  return { mailboxId, headSha: push.headSha }
}
const needsYou = async () => value(await bench.client.call('mailboxes', 'get', { mailboxId })).needsYou
const request = () =>
  bench.client.call('runs', 'request', { mailboxId, phase: 'development', resumeChoice: 'auto' })
const pushesOf = async (runId: RunId) =>
  value(await bench.client.call('runs', 'get', { runId })).outbox.map(({ kind, state }) => `${kind} ${state}`)
/** What the workspace holds, as the agent of the next turn sees it. */
const look = async (): Promise<readonly string[]> => {
  bench.play({ fresh: [init, { shell: 'git log --format=%s; ls' }, ...answers('That is all.')] })
  return bench.texts((await bench.say(chat.threadId, 'Look.')).row.runId, 'output')
}

describe('commits of a chat', () => {
  it('stand on what the last run left uncommitted, and wait for a person, turn upon turn', async () => {
    const first = await bench.say(chat.threadId, 'Mend it.')
    expect(await bench.texts(first.row.runId, 'output')).toContain('half')
    expect(first.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed', commits: 1 })
    const { threadId } = chat
    const { turns } = value(await bench.client.call('chats', 'thread', { mailboxId, threadId, limit: 9 }))
    expect(turns[0]?.notes).toEqual(['Not committed: half.txt.'])
    bench.play({ fresh: [init, commit('two.txt'), ...answers('More.')] })
    const second = await bench.say(chat.threadId, 'More.')
    expect(second.commits).toBe(1)
    expect(await pending()).toMatchObject({
      runId: second.row.runId,
      headSha: second.headSha,
      commits: 2,
      paths: [],
    })
    expect(await needsYou()).toBe('unpushed_work')
    expect(await request()).toMatchObject({ error: { type: 'not_retryable' } })
    expect(await pushesOf(second.row.runId)).toEqual(['push dropped'])
    const issue = value(
      await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid: 1 }),
    )
    expect(issue.changes).toEqual([])
    expect(issue.commentList.at(-1)?.body).not.toContain('one.txt')
  })

  it('are pushed on a click, and not before; the next run begins with them', async () => {
    const turn = await bench.say(chat.threadId, 'Mend it.')
    value(await bench.client.call('mailboxes', 'approvePush', await waiting()))
    await bench.until(async () => ((await pushesOf(turn.row.runId)).includes('push sent') ? true : null))
    expect(await pending()).toBeNull()
    expect(await needsYou()).toBe('blocked')
    const { runId } = value(await request())
    const next = await bench.ended(runId)
    expect(next).toMatchObject({ baseSha: turn.headSha, row: { badge: 'resumed' } })
  })

  it('are kept when a person goes on without them, and nobody works on them any more', async () => {
    await bench.say(chat.threadId, 'Mend it.')
    const left = value(await bench.client.call('mailboxes', 'goOnWithoutPush', await waiting()))
    expect(left).toMatchObject({
      kept: { ref: expect.stringContaining('refs/alfred/left-out/') },
      nextRunId: null,
    })
    expect([await pending(), await needsYou()]).toEqual([null, 'blocked'])
    expect(await look()).not.toContain('one.txt')
    expect(await pending()).toBeNull()
    value(await request())
  })

  it('are gone when a person discards them', async () => {
    const turn = await bench.say(chat.threadId, 'Mend it.')
    value(await bench.client.call('mailboxes', 'discardPush', await waiting()))
    expect(await pending()).toBeNull()
    expect(await look()).not.toContain('one.txt')
    expect(await pushesOf(turn.row.runId)).toEqual(['push dropped'])
    const issue = value(
      await bench.client.call('tracker', 'getIssue', { projectId: bench.projectId, iid: 1 }),
    )
    expect(issue.commentList.map(({ body }) => body).join('\n')).not.toContain('discarded')
  })

  it('stay discarded though a turn was stopped in the queue since', async () => {
    await bench.say(chat.threadId, 'Mend it.')
    value(await bench.client.call('mailboxes', 'discardPush', await waiting()))
    value(await bench.client.call('app', 'setPaused', { isPaused: true }))
    const queued = await bench.send(chat.threadId, 'Go on.')
    value(await bench.client.call('runs', 'stop', { runId: queued }))
    await bench.ended(queued)
    value(await bench.client.call('app', 'setPaused', { isPaused: false }))
    expect(await look()).not.toContain('one.txt')
    expect(await pending()).toBeNull()
  })

  it('are not taken away from under a turn that goes on with them', async () => {
    await bench.say(chat.threadId, 'Mend it.')
    bench.play({ fresh: [init, { pauseMs: 600_000 }] })
    const runId = await bench.send(chat.threadId, 'Go on.')
    await bench.runIn(runId, 'running')
    expect(await bench.client.call('mailboxes', 'discardPush', await waiting())).toMatchObject({
      error: { type: 'not_taken_back', message: expect.stringContaining(`Run ${runId}`) },
    })
  })
})

describe('a phase run that is to begin while a person talks', () => {
  const development = () =>
    bench.until(async () => {
      const page = value(
        await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 9 }),
      )
      return page.rows.find(({ phase }) => phase === 'development') ?? null
    })

  /** Works until somebody makes a file in its workspace. */
  const untilGo = [
    { print: { type: 'text', text: 'I look.' } },
    { shell: 'while [ ! -e go ]; do sleep 0.1; done; rm go' },
  ]
  /** The turn works; the plan is validated, and the workflow has drawn its conclusions. */
  const validateMeanwhile = async (turn: RunId) => {
    await bench.until(async () => ((await bench.texts(turn, 'text')).length > 0 ? true : null))
    value(await bench.client.call('mailboxes', 'validatePlan', { mailboxId }))
    await bench.until(async () => {
      const { status } = value(await bench.client.call('mailboxes', 'get', { mailboxId }))
      return status === 'in_development' ? true : null
    })
  }

  beforeEach(async () => {
    bench = await createChatBench()
    mailboxId = await bench.newIssue()
    chat = await bench.open((await bench.latest(mailboxId)).row.runId)
  })

  it('waits for the end of the turn, then for the person, and begins with what was pushed', async () => {
    await bench.until(async () => ((await needsYou()) === 'validate_plan' ? true : null))
    bench.play({
      fresh: [init, ...untilGo, commit('one.txt'), ...answers('Mended.')],
    })
    const turn = await bench.send(chat.threadId, 'Mend it.')
    await validateMeanwhile(turn)
    await bench.until(() =>
      bench.touch('go').then(
        () => true,
        () => null,
      ),
    )
    const ended = await bench.ended(turn)
    expect(ended).toMatchObject({ commits: 1, row: { outcome: 'succeeded' } })
    expect(await needsYou()).toBe('unpushed_work')
    const page = value(
      await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 9 }),
    )
    expect(page.rows.map(({ phase }) => phase)).toEqual(['analysis', 'chat'])
    value(await bench.client.call('mailboxes', 'approvePush', await waiting()))
    const { runId } = await development()
    expect(await bench.ended(runId)).toMatchObject({ baseSha: ended.headSha, row: { badge: 'resumed' } })
  })

  it('begins by itself after a turn without commits', async () => {
    await bench.until(async () => ((await needsYou()) === 'validate_plan' ? true : null))
    bench.play({
      fresh: [init, ...untilGo, ...answers('Yes.')],
    })
    const turn = await bench.send(chat.threadId, 'Is that right?')
    await validateMeanwhile(turn)
    await bench.until(() =>
      bench.touch('go').then(
        () => true,
        () => null,
      ),
    )
    expect((await bench.ended(turn)).row.outcome).toBe('succeeded')
    await bench.ended((await development()).runId)
  })
})
