import { expect, it } from 'vitest'
import type { ChatThreadId, MailboxId, RunId } from '@shared/model/ids'
import { createMessageQueue, type Queued, type RunEnd, type Sending } from './message-queue'

const run = (id: number) => id as RunId
const message: Queued = {
  threadId: 1 as ChatThreadId,
  mailboxId: 2 as MailboxId,
  title: 'Run 4, development',
  text: 'And then this',
  waitsFor: run(7),
}

/** Runs that end as a test says, and what became of messages. */
function scene(sendings: Sending[] = ['sent']) {
  const ends = new Map<RunId, RunEnd>()
  const sent: string[] = []
  const dropped: string[] = []
  let waiting: readonly Queued[] = []
  const queue = createMessageQueue({
    endOf: (runId) => Promise.resolve(ends.get(runId) ?? 'live'),
    send: ({ text }) => {
      sent.push(text)
      return Promise.resolve(sendings.shift() ?? 'sent')
    },
    onDropped: ({ title }, problem) => dropped.push(`${title}: ${problem}`),
    onChange: (now) => (waiting = [...now.values()]),
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    queue,
    sent,
    dropped,
    waiting: () => waiting,
    settled,
    end: async (runId: RunId, end: RunEnd) => {
      ends.set(runId, end)
      queue.look(() => true)
      await settled()
    },
  }
}

it('sends a message once, when the run that it waits for has ended well', async () => {
  const { queue, sent, waiting, settled, end } = scene()
  queue.add(message)
  await settled()
  queue.look(() => true)
  await settled()
  expect(sent).toEqual([])
  expect(waiting()).toEqual([message])
  await end(run(7), 'unknown')
  expect(waiting()).toEqual([message])
  void end(run(7), 'succeeded')
  await end(run(7), 'succeeded')
  expect(sent).toEqual(['And then this'])
  expect(waiting()).toEqual([])
})

it('sends at once what waits for a run that has ended meanwhile', async () => {
  const { queue, sent, settled, end } = scene()
  await end(run(7), 'succeeded')
  queue.add(message)
  await settled()
  expect(sent).toHaveLength(1)
})

it('waits for the run that began before it could be sent', async () => {
  const { queue, sent, waiting, dropped, end } = scene([{ waitFor: run(8) }, 'sent'])
  queue.add(message)
  await end(run(7), 'succeeded')
  expect(waiting()).toEqual([{ ...message, waitsFor: run(8) }])
  await end(run(8), 'succeeded')
  expect(sent).toHaveLength(2)
  expect(waiting()).toEqual([])
  expect(dropped).toEqual([])
})

it('tells of a message that is not sent: the run went wrong, or sending it did', async () => {
  const first = scene()
  first.queue.add(message)
  await first.end(run(7), { problem: 'Run 7 was stopped.' })
  expect(first.dropped).toEqual(['Run 4, development: Run 7 was stopped.'])
  expect(first.sent).toEqual([])
  expect(first.waiting()).toEqual([])
  const second = scene([{ problem: 'Memory removed.' }])
  second.queue.add(message)
  await second.end(run(7), 'succeeded')
  expect(second.dropped).toEqual(['Run 4, development: Memory removed.'])
  expect(second.waiting()).toEqual([])
})

it('sends nothing that was taken back, nor looks at other issues', async () => {
  const { queue, sent, dropped, settled, end } = scene()
  queue.add(message)
  await settled()
  queue.look((mailboxId) => mailboxId !== message.mailboxId)
  queue.remove(message.threadId)
  await end(run(7), 'succeeded')
  expect(sent).toEqual([])
  expect(dropped).toEqual([])
})
