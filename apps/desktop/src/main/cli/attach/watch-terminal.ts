import type { OutputOf } from '@shared/contract/define'
import type { mailboxesContract } from '@shared/contract/mailboxes'
import type { RunId } from '@shared/model/ids'
import { phaseWords } from '@shared/phase-words'
import { err, ok, type Result } from '@shared/result'
import type { CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { detachKeyWords } from './detach-key'
import { relayTerminal, type Watching } from './relay-terminal'

/*
 * Sees a terminal that is open, beside who has it. Nothing is opened, typed, sized or taken over.
 */

const failed = (message: string) => err({ type: 'failed', message } as const)

export async function watchTerminal(context: CommandContext, runId: RunId): Promise<CommandResult> {
  const { client, terminal, output, signal, onLeft } = context
  if (terminal === null)
    return failed('alfred attach shows a screen: its input and output must be a terminal.')
  const found = await openTerminalOf(context, runId)
  if (!found.ok) return found
  const watched = found.value
  const onWatching = (event: Watching): void => {
    for (const line of watchedLines(watched, event, terminal.size())) output.progress(line)
  }
  const key = { runId: watched, who: 'alfred attach --watch', takeOver: false, watches: true } as const
  const end = await relayTerminal({
    client,
    terminal,
    follow: (size, onEvent) => client.follow('terminals', 'attach', { ...key, ...size }, onEvent),
    watches: true,
    onWatching,
    signal,
  })
  if (end.type === 'engine_gone') return failed(`Alfred was quit; terminal ${watched} goes on.`)
  if (end.type === 'detached') onLeft()
  output.progress(
    end.type === 'ended' ? `Terminal ${watched} has ended.` : `Terminal ${watched} goes on, watched no more.`,
  )
  return ok(exitCodes.done)
}

/** The terminal of the run's issue, whatever run of it is named. */
async function openTerminalOf(
  { client }: CommandContext,
  runId: RunId,
): Promise<Result<RunId, CommandFailure>> {
  const run = await client.call('runs', 'get', { runId })
  if (!run.ok) return failed(describeError(run.error))
  const mailbox = await client.call('mailboxes', 'get', { mailboxId: run.value.mailboxId })
  if (!mailbox.ok) return failed(describeError(mailbox.error))
  const live = liveRunOf(mailbox.value)
  if (live?.phase === 'terminal') return ok(live.runId)
  return failed(
    live === null
      ? `No terminal of this issue is open, so there is nothing to watch. To open one: alfred attach ${runId}`
      : `Run ${live.runId}, ${phaseWords[live.phase].toLowerCase()}, has no screen to watch. The window shows what it says as it comes.`,
  )
}

function liveRunOf({ now }: OutputOf<typeof mailboxesContract.get>) {
  return now === null || now.kind === 'needs_you' ? null : now
}

function watchedLines(
  runId: RunId,
  { who, size }: Watching,
  here: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const by = who === null ? 'nobody has it now' : `${who} has it`
  const isSmall = size !== null && (size.columns > here.columns || size.rows > here.rows)
  return [
    `Watches terminal ${runId}, read-only: ${by}. ${detachKeyWords} or Ctrl+C ends the watching; the terminal goes on.`,
    ...(isSmall
      ? [
          `It is ${size.columns} columns wide and ${size.rows} rows high, and this one ${here.columns} and ${here.rows}: make it larger, or lines are broken in the wrong places.`,
        ]
      : []),
  ]
}
