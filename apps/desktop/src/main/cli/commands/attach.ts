import { waitAtEnd, type OpenedTerminal, type TerminalError } from '@shared/contract/terminals'
import { formatAge, formatBytes, formatDuration, shortId } from '@shared/format'
import type { RunId } from '@shared/model/ids'
import { phaseWords } from '@shared/phase-words'
import { err, ok } from '@shared/result'
import { detachKeyWords } from '../attach/detach-key'
import { relayTerminal, type RelayEnd } from '../attach/relay-terminal'
import { watchTerminal } from '../attach/watch-terminal'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes } from '../failures'
import { parseRunReference } from '../references'
import { unpushedOf } from '../unpushed'
import { choiceOf, choiceOptions } from './runs'

export const attachCommand: Command = {
  name: 'attach',
  about: "Goes on with what the agent of a run remembers, on the agent's own screen.",
  positionals: ['RUN'],
  options: {
    ...choiceOptions,
    'take-over': {
      type: 'boolean',
      about: 'Stop the run or chat that holds the session, or take the terminal from who looks at it.',
    },
    watch: {
      type: 'boolean',
      about:
        'Only look at the terminal that is open, beside who has it: nothing is typed, sized or taken over.',
    },
    [waitAtEnd]: {
      type: 'boolean',
      about:
        'Wait for Enter at the end, unless it was let go of: for a window that closes with this command.',
    },
  },
  details: `${detachKeyWords} lets go of the terminal: the agent goes on, and the same command shows it again. It works in the workspace of the issue as it is, and the next run remembers it. Commits of a terminal are pushed by nobody: "alfred issue push" decides.`,
  needs: 'works',
  async run(context) {
    const { client, args, terminal } = context
    const runId = parseRunReference(args.positionals[0] ?? '')
    if (!runId.ok) return runId
    const choice = choiceOf(args)
    if (!choice.ok) return choice
    const takeOver = args.flag('take-over')
    if (args.flag('watch'))
      return takeOver || choice.value !== 'auto'
        ? err({ type: 'usage', message: '--watch only looks: leave out --take-over, --fresh and --session.' })
        : watchTerminal(context, runId.value)
    if (terminal === null)
      return err({
        type: 'failed',
        message: 'alfred attach shows a screen: its input and output must be a terminal.',
      })
    const request = { runId: runId.value, resumeChoice: choice.value, takeOver }
    const opened = await client.call('terminals', 'open', request)
    if (!opened.ok) return failed(wordsOf(runId.value, opened.error))
    for (const line of openedLines(opened.value)) context.output.progress(line)
    const { signal } = context
    const who = `alfred attach, process ${process.pid}`
    const end = await relayTerminal({
      client,
      terminal,
      follow: (size, onEvent) => {
        const key = { runId: opened.value.runId, who, takeOver, watches: false, ...size }
        return client.follow('terminals', 'attach', key, onEvent)
      },
      signal,
    })
    return tellEnd(context, opened.value, end)
  },
}

const failed = (message: string) => err({ type: 'failed', message } as const)

const time = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

function wordsOf(runId: RunId, error: TerminalError | { readonly type: string }): string {
  if (error.type !== 'already_running' || !('since' in error)) return describeError(error)
  const owner = `Run ${error.runId}, ${phaseWords[error.phase].toLowerCase()}`
  const what = error.phase === 'chat' ? 'turn of the chat' : 'run'
  return `This session is in use. ${owner}, has held it since ${time(error.since)}. Wait for its end, or stop that ${what} and go on here, with its work and memory kept: alfred attach ${runId} --take-over`
}

function openedLines(opened: OpenedTerminal): readonly string[] {
  const { nativeSessionId, stateBytes, savedAt } = opened
  const facts = [
    opened.sessionName,
    nativeSessionId === null ? null : shortId(nativeSessionId),
    stateBytes === null ? null : formatBytes(stateBytes),
    savedAt === null ? null : `saved ${formatAge(Date.now() - savedAt)} ago`,
  ].filter((fact) => fact !== null)
  const begins = opened.wasOpen
    ? `Terminal ${opened.runId} of ${opened.issue} is open already; it is shown here.`
    : nativeSessionId === null
      ? `Opens terminal ${opened.runId} of ${opened.issue} with ${opened.adapter} and without memory.`
      : `Opens terminal ${opened.runId} of ${opened.issue} with ${opened.adapter}, which remembers. (${facts.join(', ')})`
  return [
    begins,
    ...(opened.isOlder ? ['This is not the newest memory of the issue: the next run goes on with it.'] : []),
    `${detachKeyWords} lets go of it, and it goes on. It is stopped after ${formatDuration(opened.limitMs)}.`,
  ]
}

async function tellEnd(
  context: CommandContext,
  opened: OpenedTerminal,
  end: RelayEnd,
): Promise<CommandResult> {
  const { output, spell, onLeft } = context
  const { runId } = opened
  const again = `alfred attach ${runId}`
  switch (end.type) {
    case 'detached':
      // That nothing was shown yet has to be read.
      if (end.wasShown) onLeft()
      output.progress(
        spell(
          end.wasShown
            ? `Terminal ${runId} goes on. To see it again: ${again}. To end it: alfred stop ${runId}`
            : `Terminal ${runId} has shown nothing yet. If it is still being prepared, it does not begin, since nobody waits for it. If it has begun, it goes on. To look: ${again}. To end it: alfred stop ${runId}`,
        ),
      )
      return ok(exitCodes.done)
    case 'held':
      return failed(
        `Terminal ${runId} is in use: ${end.who} has shown it since ${time(end.since)}. To look at it there: ${again} --watch. To show it here instead: ${again} --take-over`,
      )
    case 'taken_over':
      return failed(`Terminal ${runId} was taken over by ${end.who}. To take it back: ${again} --take-over`)
    case 'engine_gone':
      return failed(`Alfred was quit; terminal ${runId} goes on. Once Alfred is back: ${again}`)
    case 'ended':
      return tellRun(context, opened)
  }
}

/** What a person should know of a terminal that has ended. */
async function tellRun(
  { client, output, spell }: CommandContext,
  { runId, issue, mailboxId, nativeSessionId }: OpenedTerminal,
): Promise<CommandResult> {
  const detail = await client.call('runs', 'get', { runId })
  if (!detail.ok) return failed(describeError(detail.error))
  const { row, failure } = detail.value
  if (row.nativeSessionId !== null && nativeSessionId !== null && row.nativeSessionId !== nativeSessionId)
    output.progress(
      `It ended in another session than ${shortId(nativeSessionId)}: the next run goes on with ${shortId(row.nativeSessionId)}.`,
    )
  const pending = await client.call('mailboxes', 'pendingPush', { mailboxId })
  const unpushed = unpushedOf(issue, pending)
  if (unpushed.words !== null) output.progress(spell(unpushed.words))
  const outcome = `Terminal ${runId}: ${(row.outcome ?? 'unknown').replaceAll('_', ' ')}.`
  if (row.outcome === 'succeeded') return ok(exitCodes.done)
  return failed(failure === null ? outcome : `${outcome} ${failure.message}`)
}
