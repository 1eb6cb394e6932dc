import type { ReactNode } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import { formatTime } from '@shared/format/times'
import { Button } from '../../components/button'
import { useMinute } from '../../lib/clock'
import { CardChoice, TerminalCard } from './terminal-card'
import { endWords } from './terminal-words'
import type { TerminalWay } from './terminal-link'
import type { TerminalState } from './use-terminal-view'

export interface StateCardProps {
  readonly state: TerminalState
  readonly detail: RunDetail | undefined
  readonly onAttach: (way: TerminalWay) => void
  /** Opens a new terminal that goes on from this one. */
  readonly onReopen: () => void
  readonly onOpenRun: () => void
}

/** Why the terminal is not shown here now, over its screen; nothing while it is. */
export function StateCard({ state, detail, onAttach, onReopen, onOpenRun }: StateCardProps) {
  const now = useMinute()
  switch (state.type) {
    case 'connecting':
    case 'attached':
    case 'watching':
      return null
    case 'held':
      return (
        <TerminalCard
          icon="lock"
          tone="warn"
          title="This terminal is shown elsewhere"
          text={`Used by ${state.who}, since ${formatTime(state.since, { now })}. One place types at a time; the agent goes on.`}
          test="session-in-use"
          isAlert
        >
          <Choices>
            <Watch onAttach={onAttach} />
            <TakeOver onAttach={onAttach}>Shows it here instead; the other one is told.</TakeOver>
          </Choices>
        </TerminalCard>
      )
    case 'taken_over':
      return (
        <TerminalCard
          icon="lock"
          tone="warn"
          title="This terminal was taken over"
          text={`It is shown by ${state.who} now, and goes on there.`}
          test="terminal-taken-over"
          isAlert
        >
          <Choices>
            <Watch onAttach={onAttach} />
            <TakeOver onAttach={onAttach}>Takes it back; the other one is told.</TakeOver>
          </Choices>
        </TerminalCard>
      )
    case 'left':
      return (
        <TerminalCard
          icon="terminal"
          tone="quiet"
          title="This window let go of the terminal"
          text="It goes on. The command shows it in any terminal of this computer."
          test="terminal-left"
        >
          <Choices>
            <CardChoice
              button={
                <Button
                  variant="primary"
                  icon="plug"
                  label="Show it here"
                  onClick={() => onAttach('attach')}
                />
              }
            >
              Attaches again.
            </CardChoice>
          </Choices>
        </TerminalCard>
      )
    case 'ended':
      return (
        <TerminalCard
          icon="square"
          tone={detail?.row.state === 'ended' && detail.row.outcome !== 'succeeded' ? 'bad' : 'quiet'}
          title={detail?.row.state === 'ended' ? 'This terminal has ended' : 'This terminal ends'}
          text={detail === undefined ? '' : endWords(detail)}
          test="terminal-ended"
        >
          <Choices>
            <CardChoice
              button={<Button icon="terminal" label="Open again" test="open-again" onClick={onReopen} />}
            >
              A new terminal, which remembers this one.
            </CardChoice>
            <CardChoice button={<Button label="Open run" onClick={onOpenRun} />}>
              What it changed and committed.
            </CardChoice>
          </Choices>
        </TerminalCard>
      )
  }
}

const Choices = ({ children }: { readonly children: ReactNode }) => (
  <div className="terminal-choices mt-3.5">{children}</div>
)

const Watch = ({ onAttach }: Pick<StateCardProps, 'onAttach'>) => (
  <CardChoice button={<Button icon="eye" label="Watch" test="watch-run" onClick={() => onAttach('watch')} />}>
    Shows it here as well, read-only. It stays where it is.
  </CardChoice>
)

function TakeOver({
  onAttach,
  children,
}: {
  readonly onAttach: StateCardProps['onAttach']
  readonly children: ReactNode
}) {
  return (
    <CardChoice
      button={
        <Button
          variant="primary"
          icon="plug"
          label="Take over"
          test="take-over"
          onClick={() => onAttach('take_over')}
        />
      }
    >
      {children}
    </CardChoice>
  )
}
