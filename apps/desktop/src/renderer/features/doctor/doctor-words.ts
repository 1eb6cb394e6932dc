import type { DoctorLine } from '@shared/contract/app'
import type { IconName } from '../../components/icon'

export const groupTitles: Readonly<Record<DoctorLine['group'], string>> = {
  computer: 'This computer',
  forges: 'Forges',
  agents: 'Agents',
}

export const stateLooks: Readonly<
  Record<DoctorLine['state'], { readonly icon: IconName; readonly tone: string; readonly words: string }>
> = {
  checking: { icon: 'circle-dashed', tone: 'text-run', words: 'Checking' },
  passed: { icon: 'circle-check', tone: 'text-ok', words: 'Passed' },
  failed: { icon: 'circle-x', tone: 'text-bad', words: 'Failed' },
  optional: { icon: 'warning', tone: 'text-warn', words: 'Optional' },
  skipped: { icon: 'minus', tone: 'text-ink-3', words: 'Skipped' },
}

/** "6 of 10 checks pass." While some are still made: "6 of 10 checks pass so far." */
export function passWords(lines: readonly DoctorLine[]): string {
  if (lines.length === 0) return 'Checking this computer.'
  const passed = lines.filter((line) => line.state === 'passed').length
  const isDone = lines.every((line) => line.state !== 'checking')
  return `${passed} of ${lines.length} checks pass${isDone ? '' : ' so far'}.`
}

/** Puts a line in the place of the one for the same check, or at the end. */
export function putLine(lines: readonly DoctorLine[], line: DoctorLine): readonly DoctorLine[] {
  const index = lines.findIndex((other) => other.check === line.check && other.group === line.group)
  return index === -1 ? [...lines, line] : lines.with(index, line)
}
