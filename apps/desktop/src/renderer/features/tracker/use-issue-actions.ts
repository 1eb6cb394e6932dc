import { useState } from 'react'
import type { TrackerIssue } from '@shared/contract/tracker'
import { engine, type CommandResult } from '../../lib/engine-client'
import { useQueryEntry } from '../../lib/use-query-entry'
import { trackerProblem } from './tracker-problem'

type IssueCommand =
  | 'tracker.addLabel'
  | 'tracker.removeLabel'
  | 'tracker.assign'
  | 'tracker.unassign'
  | 'tracker.close'
  | 'tracker.reopen'

/** What can be done with an issue in one click; what it changes comes back through the queries. */
export function useIssueActions(issue: TrackerIssue) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { data: people } = useQueryEntry('tracker.listPeople', {})
  const ref = { projectId: issue.projectId, iid: issue.iid }
  const alfred = people?.find((person) => person.isAlfred)

  const during = async (command: Promise<CommandResult<IssueCommand>>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    const result = await command
    setBusy(false)
    if (!result.ok) setProblem(trackerProblem(result.error))
  }
  const assign = (login: string): void => void during(engine.command('tracker.assign', { ...ref, login }))
  const unassign = (login: string): void => void during(engine.command('tracker.unassign', { ...ref, login }))
  return {
    isBusy,
    problem,
    isAlfreds: issue.assignees.some((person) => person.isAlfred),
    assign,
    unassign,
    giveToAlfred: () => alfred && assign(alfred.login),
    takeFromAlfred: () => alfred && unassign(alfred.login),
    addLabel: (label: string) => void during(engine.command('tracker.addLabel', { ...ref, label })),
    /** Labels belong to the project: a new name is made there first. */
    addNewLabel: (label: string) => void during(makeAndAddLabel(ref, label)),
    removeLabel: (label: string) => void during(engine.command('tracker.removeLabel', { ...ref, label })),
    toggleOpen: () => void during(engine.command(issue.isOpen ? 'tracker.close' : 'tracker.reopen', ref)),
  }
}

/** That the name is taken already is no problem: then it is the one that is meant. */
async function makeAndAddLabel(
  ref: { readonly projectId: TrackerIssue['projectId']; readonly iid: number },
  label: string,
): Promise<CommandResult<IssueCommand>> {
  const made = await engine.command('tracker.addLabelToProject', { projectId: ref.projectId, name: label })
  if (!made.ok && made.error.type !== 'conflict') return made
  return engine.command('tracker.addLabel', { ...ref, label })
}
