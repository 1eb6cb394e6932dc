import type { TimelineRow } from '@shared/contract/sessions'
import type { Outcome, Phase } from '@shared/model/words'
import { counted } from '@shared/format'
import type { IconName } from '../../components/icon'
import { outcomeWords } from './strings'

export interface OutcomeLook {
  readonly text: string
  /** Null: the live dot. */
  readonly icon: IconName | null
  readonly tone: 'ok' | 'bad' | 'warn' | 'run' | 'quiet'
}

const tones: Readonly<Record<Exclude<Outcome, 'succeeded'>, Pick<OutcomeLook, 'icon' | 'tone'>>> = {
  failed: { icon: 'circle-x', tone: 'bad' },
  timed_out: { icon: 'clock', tone: 'bad' },
  stopped: { icon: 'square', tone: 'quiet' },
  interrupted: { icon: 'pause', tone: 'warn' },
  out_of_memory: { icon: 'circle-x', tone: 'bad' },
  result_refused: { icon: 'shield-x', tone: 'bad' },
  account_limit: { icon: 'clock', tone: 'warn' },
}

/** What a run that made no commit has done. */
const succeededWords: Partial<Readonly<Record<Phase, string>>> = {
  analysis: 'Analysed',
  answer: 'Answered',
  terminal: 'Closed',
}

/** How a run stands or ended, in one or two words. */
export function outcomeLook({
  state,
  outcome,
  commits,
  phase,
}: Pick<TimelineRow, 'state' | 'outcome' | 'commits' | 'phase'>): OutcomeLook {
  switch (state) {
    case 'queued':
      if (outcome === 'interrupted' || outcome === 'account_limit')
        return { text: outcomeWords[outcome], ...tones[outcome] }
      return { text: 'Queued', icon: 'clock', tone: 'quiet' }
    case 'preparing':
      return { text: 'Starting', icon: null, tone: 'run' }
    case 'running':
      return { text: 'Running', icon: null, tone: 'run' }
    case 'stopping':
      return { text: 'Stopping', icon: null, tone: 'run' }
    case 'ended':
      if (outcome === null) return { text: 'Ended', icon: 'circle-check', tone: 'quiet' }
      if (outcome !== 'succeeded') return { text: outcomeWords[outcome], ...tones[outcome] }
      return commits !== null && commits > 0
        ? { text: counted(commits, 'commit'), icon: 'upload', tone: 'ok' }
        : { text: succeededWords[phase] ?? outcomeWords.succeeded, icon: 'circle-check', tone: 'ok' }
  }
}

/** The session's name without the branch prefix, which is the same in every row. */
export const nameWithoutPrefix = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

export const isLive = (row: Pick<TimelineRow, 'state'>): boolean => row.state !== 'ended'

/** Which attempt a run is at, once it is not the first. */
export const attemptText = (attempts: number): string | null => (attempts > 1 ? `attempt ${attempts}` : null)
