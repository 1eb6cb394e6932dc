import type { Fault, FaultGroup } from './fault'
import { bundleFaults } from './bundle-faults'
import { engineFaults } from './engine-faults'
import { issueFaults } from './issue-faults'
import { outputFaults } from './output-faults'
import { resultFaults } from './result-faults'
import { secretFaults } from './secret-faults'
import { sessionFaults } from './session-faults'
import { workspaceFaults } from './workspace-faults'

/** Every fault that a test brings about, in the order of the page docs/faults.md. */
export const faultTable: readonly FaultGroup[] = [
  engineFaults,
  outputFaults,
  resultFaults,
  bundleFaults,
  sessionFaults,
  workspaceFaults,
  secretFaults,
  issueFaults,
]

export function findFault(id: string): Fault {
  const found = faultTable.flatMap(({ faults }) => faults).find((fault) => fault.id === id)
  if (found === undefined) throw new Error(`the table of faults has no row ${id}`)
  return found
}
