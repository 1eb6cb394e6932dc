import type { LabelReport } from '@shared/contract/forges'
import { alfredLabels } from './labels'

/*
 * A forge takes labels by their exact name: another case or a space makes another label, and two labels may have one
 * name. What people see as one label is compared with what the forge sees.
 */

const folded = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** `names`: of all labels of the project, each as often as it is there. */
export function reportLabels(names: readonly string[]): LabelReport {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const wanted = new Map(alfredLabels.map(({ name }) => [folded(name), name]))
  const report: LabelReport = { missing: [], twins: [], misspelt: [] }
  for (const { name } of alfredLabels) if (!counts.has(name)) report.missing.push(name)
  for (const [name, count] of counts) {
    const meant = wanted.get(folded(name))
    if (meant === undefined) continue
    if (meant !== name) report.misspelt.push({ name, meant })
    else if (count > 1) report.twins.push({ name, count })
  }
  return report
}
