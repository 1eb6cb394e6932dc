import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { MailboxId, ResumeChoice, RunId } from '@shared/model/ids'
import { formatTime } from '@shared/format/times'
import { Button } from '../../components/button'
import { SignInButton } from '../../components/sign-in-button'
import { announce } from '../../lib/announcer'
import type { CommandError } from '../../lib/engine-client'
import { goBack, openView, replaceViewFrom } from '../../lib/navigation/store'
import { runErrorText } from '../../lib/run-error-text'
import { useCommand } from '../../lib/use-command'
import { InUseCard } from './in-use-card'
import { LimitNote } from './limit-note'
import { CardChoice, TerminalCard } from './terminal-card'

export interface OpeningTerminalProps {
  readonly mailboxId: MailboxId
  /** The run that is gone on with. */
  readonly runId: RunId
}

type Problem = CommandError<'terminals.open'>

/** Asks the engine for a terminal on a run; what stands in the way is told, with what can be done. */
export function OpeningTerminal({ mailboxId, runId }: OpeningTerminalProps) {
  const command = useCommand('terminals.open')
  const [problem, setProblem] = useState<Problem | null>(null)
  const open = async (resumeChoice: ResumeChoice, takeOver: boolean): Promise<void> => {
    const opened = await command.run({ runId, resumeChoice, takeOver })
    if (!opened.ok) return setProblem(opened.error)
    announce(`run ${opened.value.runId}`, 'The terminal opens')
    replaceViewFrom(
      { screen: 'terminal', mailboxId, runId, isOpen: false },
      { screen: 'terminal', mailboxId, runId: opened.value.runId, isOpen: true },
    )
  }
  const begin = useEffectEvent(() => void open('auto', false))
  useEffect(() => begin(), [])
  if (problem === null)
    return (
      <div className="terminal-over text-12 text-ink-2">
        <div>
          <p>The terminal opens…</p>
          <LimitNote mailboxId={mailboxId} />
        </div>
      </div>
    )
  if (problem.type === 'already_running')
    return (
      <InUseCard
        note={<LimitNote mailboxId={mailboxId} />}
        runId={problem.runId}
        since={problem.since}
        isBusy={command.isBusy}
        onTakeOver={() => void open('auto', true)}
        onStartFresh={() => void open('fresh', true)}
      />
    )
  return (
    <ProblemCard
      problem={problem}
      note={<LimitNote mailboxId={mailboxId} />}
      isBusy={command.isBusy}
      onOpen={(choice) => void open(choice, false)}
    />
  )
}

interface ProblemCardProps {
  readonly problem: Exclude<Problem, { type: 'already_running' }>
  readonly note: ReactNode
  readonly isBusy: boolean
  readonly onOpen: (choice: ResumeChoice) => void
}

export function ProblemCard({ problem, note, isBusy, onOpen }: ProblemCardProps) {
  const canStartFresh = problem.type === 'state_missing' || problem.type === 'memory_removed'
  return (
    <TerminalCard
      icon={problem.type === 'login_missing' ? 'lock' : 'unlink'}
      tone="warn"
      title={titleOf(problem)}
      text={textOf(problem)}
      test="terminal-problem"
      isAlert
    >
      <div className="terminal-choices">
        {canStartFresh && (
          <CardChoice
            button={
              <Button
                variant="primary"
                icon="plus"
                label="Start fresh"
                isBusy={isBusy}
                test="start-fresh"
                onClick={() => onOpen('fresh')}
              />
            }
          >
            A new session in the workspace as it is, without this memory.
          </CardChoice>
        )}
        {problem.type === 'login_missing' && problem.adapter !== 'api' && (
          <CardChoice button={<SignInButton adapter={problem.adapter} />}>
            Opens its own login. Then try again.
          </CardChoice>
        )}
        {problem.type === 'login_missing' && (
          <CardChoice
            button={<Button icon="cpu" label="Open agents" onClick={() => openView({ screen: 'agents' })} />}
          >
            Says what else signs it in.
          </CardChoice>
        )}
        {!canStartFresh && (
          <CardChoice
            button={<Button icon="retry" label="Try again" isBusy={isBusy} onClick={() => onOpen('auto')} />}
          >
            Looks once more.
          </CardChoice>
        )}
        <CardChoice button={<Button icon="arrow-left" label="Back" onClick={goBack} />}>
          Nothing was opened or changed.
        </CardChoice>
      </div>
      {note}
    </TerminalCard>
  )
}

function titleOf(problem: ProblemCardProps['problem']): string {
  switch (problem.type) {
    case 'state_missing':
      return 'The memory of this session is not there'
    case 'memory_removed':
      return 'The memory was removed'
    case 'login_missing':
      return 'The agent is not signed in'
    default:
      return 'The terminal was not opened'
  }
}

const textOf = (problem: ProblemCardProps['problem']): string =>
  problem.type === 'memory_removed'
    ? `It was removed at cleanup on ${formatTime(problem.at, { now: Date.now() })}.`
    : runErrorText(problem)
