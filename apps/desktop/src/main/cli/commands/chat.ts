import type { OpenedChat } from '@shared/contract/chats'
import type { RunDetail } from '@shared/contract/runs'
import { formatAge, formatBytes, shortId } from '@shared/format'
import { fallbackSentence, phaseWords } from '@shared/phase-words'
import type { ResumeChoice } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { parseRunReference } from '../references'
import { unpushedOf } from '../unpushed'
import { choiceOf, choiceOptions, eventLine, followEvents } from './runs'

export const chatCommand: Command = {
  name: 'chat',
  about: 'Goes on with what the agent of a run remembers: each line that comes in is a message.',
  positionals: ['RUN'],
  options: {
    ...choiceOptions,
    json: { type: 'boolean', about: 'Print events as lines of JSON: opened, turn, event, ended.' },
  },
  details:
    'The run must have ended. Each turn is a run of the same issue: it works in its workspace as it is, and the next run remembers it. Commits of a chat are pushed by nobody: "alfred issue push" decides. --fresh and --session count for the first message.',
  needs: 'works',
  async run(context) {
    const { client, args } = context
    const runId = parseRunReference(args.positionals[0] ?? '')
    if (!runId.ok) return runId
    const choice = choiceOf(args)
    if (!choice.ok) return choice
    const opened = await client.call('chats', 'open', { runId: runId.value })
    if (!opened.ok) return failed(opened.error)
    tellOpened(context, opened.value)
    let resumeChoice: ResumeChoice = choice.value
    for await (const text of context.readLines()) {
      if (context.signal.aborted) break
      if (text.trim() === '') continue
      const turn = await takeTurn(context, opened.value, text, resumeChoice)
      if (!turn.ok) return turn
      resumeChoice = 'auto'
    }
    return ok(exitCodes.done)
  },
}

const failed = (error: unknown) => err({ type: 'failed', message: describeError(error) } as const)

function tellOpened({ args, output }: CommandContext, chat: OpenedChat): void {
  if (args.flag('json')) return output.jsonLine({ type: 'opened', ...chat })
  if (chat.isReplay) {
    output.progress(
      `Continues ${lowerFirst(chat.title)}. The agent does not remember it: it is told a replay of the transcript.`,
    )
    return
  }
  const facts = [
    chat.sessionName,
    chat.nativeSessionId === null ? null : shortId(chat.nativeSessionId),
    chat.stateBytes === null ? null : formatBytes(chat.stateBytes),
    chat.savedAt === null ? null : `saved ${formatAge(Date.now() - chat.savedAt)} ago`,
  ].filter((fact) => fact !== null)
  output.progress(
    `Continues ${lowerFirst(chat.title)}. The agent remembers everything up to there. (${facts.join(', ')})`,
  )
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

async function takeTurn(
  context: CommandContext,
  chat: OpenedChat,
  text: string,
  resumeChoice: ResumeChoice,
): Promise<Result<null, CommandFailure>> {
  const { client, args, output } = context
  const isForProgram = args.flag('json')
  const sent = await client.call('chats', 'send', { threadId: chat.threadId, text, resumeChoice })
  if (!sent.ok) return failed(sent.error)
  const { runId } = sent.value
  if (isForProgram) output.jsonLine({ type: 'turn', runId })
  else output.progress(`Run ${runId} is queued.`)
  const ended = await followEvents(context, runId, (event) => {
    if (isForProgram) return output.jsonLine({ type: 'event', runId, ...event })
    // The closing words of the agent are its last text once more.
    const line = event.kind === 'result' ? null : eventLine(event)
    if (line !== null) output.line(line)
  })
  return ended.ok ? tellEnd(context, chat, ended.value) : ended
}

async function tellEnd(
  context: CommandContext,
  chat: OpenedChat,
  detail: RunDetail,
): Promise<Result<null, CommandFailure>> {
  const { client, args, output, spell } = context
  const { row, failure } = detail
  const { runId } = row
  const said = await client.call('chats', 'messages', { threadId: chat.threadId, limit: 10 })
  if (!said.ok) return failed(said.error)
  const ofTurn = said.value.filter((message) => message.runId === runId)
  const pending = await client.call('mailboxes', 'pendingPush', { mailboxId: chat.mailboxId })
  const unpushed = unpushedOf(chat.issue, pending)
  if (args.flag('json')) {
    output.jsonLine({
      type: 'ended',
      runId,
      outcome: row.outcome,
      answer: ofTurn.find(({ role }) => role === 'agent')?.text ?? null,
      /** false: nothing of the message reached an agent, so that it may be sent again. */
      wasSent: ofTurn.some(({ role, state }) => role === 'person' && state === 'sent'),
      resumed: row.resumed,
      resumeFallback: row.resumeFallback,
      isReplay: row.mode === 'none',
      nativeSessionId: row.nativeSessionId,
      requestedSessionId: row.requestedSessionId,
      failure: failure?.message ?? null,
      costUsd: row.costUsd,
      contextUsed: detail.contextUsed,
      contextMax: detail.contextMax,
      commits: row.commits,
      /** null: commits wait, or may, and nobody could say how many. */
      unpushedCommits: unpushed.commits,
    })
    return ok(null)
  }
  for (const line of endLines(chat, detail, unpushed.words)) output.progress(spell(line))
  return ok(null)
}

/** What a person should know of a turn beside its answer. */
function endLines(chat: OpenedChat, { row }: RunDetail, unpushed: string | null): readonly string[] {
  return [
    ...(row.requestedSessionId === null ? [] : fallbackLines(chat, row)),
    ...(row.mode === 'none' ? ['The agent was told a replay of the transcript: it does not remember.'] : []),
    ...(row.outcome === 'succeeded'
      ? []
      : [`${phaseWords[row.phase]}, run ${row.runId}: ${row.outcome ?? 'unknown'}.`]),
    ...(unpushed === null ? [] : [unpushed]),
  ]
}

function fallbackLines(
  chat: OpenedChat,
  { runId, resumeFallback, adapter }: RunDetail['row'],
): readonly string[] {
  if (resumeFallback === null) return []
  return [
    `This turn could not resume the session. ${fallbackSentence(resumeFallback, adapter)} Nothing of it was changed. Your message was kept and answered by a fresh session, which has read the plan, the diff and the open threads again.`,
    `To try the old one again: alfred chat ${runId} --session ${chat.sessionId}`,
  ]
}
