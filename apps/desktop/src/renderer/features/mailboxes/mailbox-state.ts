import type { MailboxRow } from '@shared/contract/mailboxes'
import type { Outcome, Status } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import type { ChipTone } from '../../components/chip'
import type { IconName } from '../../components/icon'
import { blockedWords, needsYouWords, statusWords } from './strings'

export interface MailboxState {
  readonly text: string
  readonly icon: IconName
  readonly tone: ChipTone
}

const state = (text: string, icon: IconName, tone: ChipTone = 'neutral'): MailboxState => ({
  text,
  icon,
  tone,
})

/** What a mailbox does or waits for, in a few words: a live run before a person's turn, that before its status. */
export function mailboxState(
  row: Pick<MailboxRow, 'latestRun' | 'needsYou' | 'status' | 'isOpen'>,
): MailboxState {
  return liveState(row.latestRun) ?? needsYouState(row) ?? restState(row)
}

function liveState(run: MailboxRow['latestRun']): MailboxState | null {
  if (!run || run.state === 'ended') return null
  const phase = phaseWords[run.phase].toLowerCase().replace('ci fix', 'CI fix')
  switch (run.state) {
    case 'queued':
      return run.outcome === 'interrupted'
        ? state(`Interrupted · ${phase}`, 'pause', 'warn')
        : state(`Queued · ${phase}`, 'clock')
    case 'preparing':
      return state(`Starting · ${phase}`, 'play', 'run')
    case 'running':
      return state(`Running · ${phase}`, 'play', 'run')
    case 'stopping':
      return state(`Stopping · ${phase}`, 'square', 'run')
  }
}

function needsYouState({
  needsYou,
  latestRun,
}: Pick<MailboxRow, 'needsYou' | 'latestRun'>): MailboxState | null {
  if (needsYou === null) return null
  if (needsYou === 'blocked') return blockedState(latestRun?.outcome ?? null)
  return state(needsYouWords[needsYou], 'inbox', 'warn')
}

const blockedState = (outcome: Outcome | null): MailboxState =>
  state(outcome === null ? 'Blocked' : `Blocked · ${blockedWords[outcome]}`, 'ban', 'bad')

const statusIcons: Readonly<Record<Status, IconName>> = {
  functional_analysis: 'zoom-in',
  technical_analysis: 'zoom-in',
  waiting_info: 'inbox',
  waiting_validation: 'inbox',
  in_development: 'pencil',
  in_ci: 'workflow',
  in_review: 'eye',
  blocked: 'ban',
  done: 'circle-check',
}

function restState({
  status,
  latestRun,
  isOpen,
}: Pick<MailboxRow, 'status' | 'latestRun' | 'isOpen'>): MailboxState {
  if (status === 'blocked') return blockedState(latestRun?.outcome ?? null)
  if (status === 'done') return state('Done', 'circle-check', 'ok')
  if (!isOpen) return state('Closed', 'circle-check')
  if (status === null) return state('Not started', 'circle-dashed')
  return state(statusWords[status], statusIcons[status])
}
