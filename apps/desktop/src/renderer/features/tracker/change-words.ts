import type { TrackerChange } from '@shared/contract/tracker'
import type { ChipTone } from '../../components/chip'
import type { IconName } from '../../components/icon'

export const changeLooks: Readonly<
  Record<TrackerChange['state'], { readonly text: string; readonly tone: ChipTone; readonly icon: IconName }>
> = {
  open: { text: 'Open', tone: 'run', icon: 'git-pull-request' },
  merged: { text: 'Merged', tone: 'ok', icon: 'git-merge' },
  closed: { text: 'Closed', tone: 'neutral', icon: 'ban' },
}

/** Why a change cannot be merged now; null when it can. */
export function mergeReason(
  change: Pick<TrackerChange, 'state' | 'hasConflicts' | 'headSha' | 'problem' | 'targetBranch'>,
): string | null {
  if (change.state !== 'open') return `It is ${change.state} already.`
  if (change.hasConflicts)
    return `Its branch changes the same lines as ${change.targetBranch}. Resolve that on the branch first.`
  if (change.headSha === null) return 'Its branch has no commit.'
  return change.problem
}
