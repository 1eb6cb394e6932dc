import Docker from 'dockerode'
import { afterEach, describe, expect, it } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { RunId } from '@shared/model/ids'
import { answers, commit, createChatBench, init, tellPrompt, type ChatBench } from './support/chat-bench'
import { containersOfRun, createEngineBench, createWatch, value } from './support/engine-bench'
import { expectRemembered } from './support/expect-remembered'

/*
 * "Continue as chat" end to end: the engine, real containers, real git.
 */

let bench: ChatBench
afterEach(() => bench.remove())

const told = (runId: RunId) => bench.texts(runId, 'output')

describe('a chat', () => {
  it('goes on with the memory of the run, turn by turn, and the next phase run goes on with the last turn', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const analysis = await bench.latest(mailboxId)
    const chat = await bench.open(analysis.row.runId)
    expect(chat).toMatchObject({
      issue: 'test/boat#1',
      title: `Run ${analysis.row.runId}, analysis`,
      sessionName: 'agent/issue-1-add-a-slug-helper',
      nativeSessionId: analysis.row.nativeSessionId,
      isReplay: false,
    })
    const first = await bench.say(chat.threadId, 'Why at noon?')
    const second = await bench.say(chat.threadId, 'And at night?\nSay it short.')
    expect(first.row).toMatchObject({ phase: 'chat', outcome: 'succeeded', badge: 'resumed', commits: 0 })
    expect(await told(first.row.runId)).toEqual(['told: Why at noon?'])
    expect(await told(second.row.runId)).toEqual(['told: And at night?', 'told: Say it short.'])
    expect(await bench.messages(chat.threadId)).toEqual([
      'person: Why at noon?',
      'agent: Because of the tide.',
      'person: And at night?\nSay it short.',
      'agent: Because of the tide.',
    ])
    const development = await bench.run(mailboxId, 'development')
    expect(development.row).toMatchObject({
      badge: 'resumed',
      requestedSessionId: second.row.nativeSessionId,
    })
    expectRemembered(await bench.sessions(mailboxId))
    // What was said without the memory is unknown to it, and that is said once.
    await bench.setting('AGENT_SESSION_RESUME', false)
    expect((await bench.say(chat.threadId, 'And in fog?')).row.mode).toBe('none')
    await bench.setting('AGENT_SESSION_RESUME', true)
    const again = await bench.say(chat.threadId, 'And in rain?')
    expect(await told(again.row.runId)).toEqual(['told: And in rain?'])
    expect(await bench.texts(again.row.runId, 'warning')).toEqual([
      expect.stringContaining('does not remember the last message of the chat'),
    ])
  })

  it('is asked for each turn by the newest id that a turn of it had, whatever the issue did meanwhile', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    // A CLI that gives another id on resume.
    bench.play({
      fresh: [{ print: { type: 'init', session_id: '$NEW' } }, ...answers('New.')],
      resume: [init, ...answers('Old.')],
    })
    const fresh = await bench.say(chat.threadId, 'Forget it.', 'fresh')
    expect(fresh.row).toMatchObject({ badge: 'chosen_fresh' })
    const next = await bench.say(chat.threadId, 'Go on.')
    expect(next.row.requestedSessionId).toBe(fresh.row.nativeSessionId)
    // The old one by hand.
    const old = await bench.say(chat.threadId, 'And before?', `session:${chat.sessionId}`)
    expect(old.row.requestedSessionId).toBe(chat.nativeSessionId)
  })

  it('keeps the message where the memory cannot be resumed: a fresh session answers it once, and is told the issue', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue('The harbour lights go out at noon.')
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    bench.play({
      fresh: [init, tellPrompt, ...answers('Fresh words.')],
      resume: [{ printError: 'FAKE refused' }, { exit: 1 }],
    })
    const turn = await bench.say(chat.threadId, 'Why at noon?')
    expect(turn.row).toMatchObject({ outcome: 'succeeded', badge: 'refused', attempts: 1 })
    expect(turn.attempts[0]?.starts.map(({ kind }) => kind)).toEqual(['first', 'fallback'])
    const lines = await told(turn.row.runId)
    for (const line of ['> The harbour lights go out at noon.', '> The plan.', 'Why at noon?'])
      expect(lines).toContain(`told: ${line}`)
    expect(await bench.messages(chat.threadId)).toEqual(['person: Why at noon?', 'agent: Fresh words.'])
    const next = await bench.send(chat.threadId, 'And now?')
    expect((await bench.ended(next)).row.requestedSessionId).toBe(turn.row.nativeSessionId)
  })

  it('tells a replay of the transcript, and says so, where there is no memory', async () => {
    bench = await createChatBench()
    await bench.setting('AGENT_SESSION_RESUME', false)
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    expect(chat).toMatchObject({ isReplay: true, nativeSessionId: null })
    await bench.say(chat.threadId, 'Why at noon?')
    const turn = await bench.say(chat.threadId, 'And at night?')
    expect(turn.row).toMatchObject({ outcome: 'succeeded', mode: 'none' })
    const lines = await told(turn.row.runId)
    for (const line of [
      'This is a replay of a transcript and not your memory. Its oldest part may be missing.',
      '> You: The plan.',
      '> The person: Why at noon?',
      '> You: Because of the tide.',
      'And at night?',
    ])
      expect(lines).toContain(`told: ${line}`)
    expect(lines).not.toContain('told: > The person: And at night?')
  })

  it('is refused, in words, for a live run, for one that never had an id, and while another run works', async () => {
    bench = await createChatBench({ fresh: [{ pauseMs: 600_000 }] })
    const mailboxId = await bench.newIssue()
    const analysis = await bench.until(async () => {
      const page = value(
        await bench.client.call('sessions', 'timeline', { mailboxId, beforeRunId: null, limit: 1 }),
      )
      return page.rows.at(-1)?.state === 'running' ? (page.rows.at(-1)?.runId ?? null) : null
    })
    const open = (runId: RunId) => bench.client.call('chats', 'open', { runId })
    expect(await open(analysis)).toMatchObject({
      error: { type: 'not_continuable', message: expect.stringContaining('has not ended yet') },
    })
    value(await bench.client.call('runs', 'stop', { runId: analysis }))
    await bench.ended(analysis)
    expect(await open(analysis)).toMatchObject({
      error: { type: 'not_continuable', message: expect.stringContaining('never told the id') },
    })
    expect(await open(999 as RunId)).toMatchObject({ error: { type: 'not_found' } })
    expect(
      await bench.client.call('runs', 'request', { mailboxId, phase: 'chat', resumeChoice: 'auto' }),
    ).toMatchObject({ error: { type: 'not_retryable' } })
  })
})

describe('a turn of a chat', () => {
  it('is read on when the engine is gone in its midst, and its answer is there once', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    bench.play({
      fresh: [init],
      resume: [
        init,
        { print: { type: 'text', text: 'I look.' } },
        { shell: 'while [ ! -e go ]; do sleep 0.1; done' },
        ...answers('Found.'),
      ],
    })
    const runId = await bench.send(chat.threadId, 'Look.')
    await bench.until(async () => ((await bench.texts(runId, 'text')).length > 0 ? true : null))
    expect(
      await bench.client.call('chats', 'send', {
        threadId: chat.threadId,
        text: 'And?',
        resumeChoice: 'auto',
      }),
    ).toMatchObject({
      error: { type: 'already_running', runId },
    })
    const client = await bench.restart()
    await bench.touch('go')
    const ended = await createWatch(client).until(async () => {
      const detail = value(await client.call('runs', 'get', { runId }))
      return detail.row.state === 'ended' ? detail : null
    })
    expect(ended.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed', attempts: 1 })
    const said = value(await client.call('chats', 'messages', { threadId: chat.threadId, limit: 9 }))
    expect(said.map(({ role, text, state }) => [role, text, state])).toEqual([
      ['person', 'Look.', 'sent'],
      ['agent', 'Found.', 'sent'],
    ])
  })

  it('has the files that go along with it, and can only read them; a message said again has them again', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const { threadId } = await bench.open((await bench.latest(mailboxId)).row.runId)
    const picture = Buffer.from([0x89, 0x50, 0xff, 0x00, 0x0a])
    for (const [name, mediaType, content] of [
      ['the note.txt', 'text/plain', Buffer.from('It is noon.')],
      ['pier.png', 'image/png', picture],
    ] as const) {
      const file = { threadId, name, mediaType, content: content.toString('base64') }
      value(await bench.client.call('chats', 'attach', file))
    }
    const looks = [
      'cat /alfred/in/attachment-1-the-note.txt; echo',
      'base64 /alfred/in/attachment-2-pier.png',
      '(echo x > /alfred/in/attachment-1-the-note.txt) 2> /dev/null || echo refused',
    ]
    bench.play({ fresh: [init, tellPrompt, { shell: looks.join('; ') }, ...answers('Seen.')] })
    const seen = ['It is noon.', picture.toString('base64'), 'refused']
    const send = async (more: { readonly isDraft?: boolean; readonly again?: RunId }) => {
      const sent = { threadId, text: 'Look.', resumeChoice: 'auto', ...more } as const
      const { runId } = value(await bench.client.call('chats', 'send', sent))
      expect((await bench.ended(runId)).row.outcome).toBe('succeeded')
      return runId
    }
    const first = await send({ isDraft: true })
    expect(await told(first)).toEqual([
      'told: Look.',
      'told: ',
      'told: Files that go along with this message, to be read only:',
      'told: - /alfred/in/attachment-1-the-note.txt (text/plain, 11 B)',
      'told: - /alfred/in/attachment-2-pier.png (image/png, 5 B)',
      ...seen,
    ])
    expect((await told(await send({ again: first }))).slice(-3)).toEqual(seen)
    const without = await told(await send({}))
    expect(without.filter((line) => line.startsWith('told:'))).toEqual(['told: Look.'])
    const said = value(await bench.client.call('chats', 'messages', { threadId, limit: 9 }))
    const along = said.filter(({ role }) => role === 'person').map((message) => message.attachments.length)
    expect(along).toEqual([2, 2, 0])
  })

  it('that something outside ends is not said again by itself once its agent has begun', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    bench.play({ fresh: [init, { print: { type: 'text', text: 'I look.' } }, { pauseMs: 600_000 }] })
    const runId = await bench.send(chat.threadId, 'Look.')
    await bench.until(async () => ((await bench.texts(runId, 'text')).length > 0 ? true : null))
    const [container] = await containersOfRun(bench.client, runId)
    await new Docker().getContainer(container?.id ?? '').kill({ signal: 'SIGKILL' })
    const ended = await bench.ended(runId)
    expect(ended.row).toMatchObject({ outcome: 'interrupted', attempts: 1 })
    expect(await bench.messages(chat.threadId)).toEqual(['person: Look.', 'agent: I look.'])
  })

  it('keeps what was made when its container is removed while Alfred is gone', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    const tell = { print: { type: 'text', text: 'Made.' } } as const
    bench.play({ fresh: [init, commit('tide.txt'), tell, { pauseMs: 600_000 }] })
    const runId = await bench.send(chat.threadId, 'Look.')
    await bench.until(async () => ((await bench.texts(runId, 'text')).length > 0 ? true : null))
    const [container] = await containersOfRun(bench.client, runId)
    await bench.stopEngine('keep')
    await new Docker().getContainer(container?.id ?? '').remove({ force: true })
    const client = await bench.restart()
    const ended = await createWatch(client).until(async () => {
      const found = value(await client.call('runs', 'get', { runId }))
      return found.row.state === 'ended' ? found : null
    })
    expect(ended.row).toMatchObject({ outcome: 'interrupted', attempts: 1, commits: 1 })
    expect(value(await client.call('mailboxes', 'pendingPush', { mailboxId }))).toMatchObject({ runId })
  })

  it('comes back as a draft where nothing of it reached an agent', async () => {
    bench = await createChatBench()
    const mailboxId = await bench.newIssue()
    const chat = await bench.open((await bench.latest(mailboxId)).row.runId)
    value(await bench.client.call('app', 'setPaused', { isPaused: true }))
    const runId = await bench.send(chat.threadId, 'Look.')
    value(await bench.client.call('runs', 'stop', { runId }))
    await bench.ended(runId)
    expect(
      value(await bench.client.call('chats', 'messages', { threadId: chat.threadId, limit: 9 })),
    ).toMatchObject([{ role: 'person', state: 'draft', text: 'Look.' }])
  })
})

describe('a chat with the demo agent', () => {
  it('is given the message on its standard input', async () => {
    const demo = await createEngineBench({
      adapters: [createDemoAdapter({ environment: { DEMO_PACE: '0' } })],
    })
    try {
      const mailboxId = await demo.newIssue()
      const { row } = await demo.latest(mailboxId)
      const { threadId } = value(await demo.client.call('chats', 'open', { runId: row.runId }))
      const sent = { threadId, text: 'Is the README right?', resumeChoice: 'auto' } as const
      const { runId } = value(await demo.client.call('chats', 'send', sent))
      expect((await demo.ended(runId)).row).toMatchObject({ outcome: 'succeeded', badge: 'resumed' })
      const said = value(await demo.client.call('chats', 'messages', { threadId, limit: 9 }))
      expect(said.at(-1)?.text).toContain('Is the README right')
    } finally {
      await demo.remove()
    }
  })
})
