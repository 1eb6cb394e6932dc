import type { z } from 'zod'
import type { trackerContract, TrackerError } from '@shared/contract/tracker'
import type { OutputOf } from '@shared/contract/define'
import type { ProjectId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import type { Tracker } from '@main/ports/tracker'

/*
 * The local tracker for the window and `alfred issue`, entry by entry of its contract. Every change tells the
 * engine at once, so that nobody waits for the next poll.
 */

type Entries = typeof trackerContract
type Input<K extends keyof Entries> = z.infer<Entries[K]['input']>

/** What a query may answer beside its output; anything else that goes wrong there is thrown. */
type ReadError = Extract<TrackerError, { type: 'not_found' }>
type ErrorFor<K extends keyof Entries> = Entries[K]['kind'] extends 'command' ? TrackerError : ReadError

export type TrackerService = {
  readonly [K in keyof Entries]: (input: Input<K>) => Promise<Result<OutputOf<Entries[K]>, ErrorFor<K>>>
}

export interface TrackerServiceOptions {
  readonly tracker: Tracker
  /** An issue changed (`iid`), or the project or its set of changes did (null). */
  readonly onChanged: (projectId: ProjectId, iid: number | null) => void
  /** Projects were added or removed, or somebody was added for all of them. */
  readonly onProjectsChanged: () => void
}

export function createTrackerService({
  tracker,
  onChanged,
  onProjectsChanged,
}: TrackerServiceOptions): TrackerService {
  /** Tells of a change that succeeded, and answers nothing. */
  const silently = async (
    ref: { readonly projectId: ProjectId; readonly iid: number },
    done: Promise<Result<unknown, TrackerError>>,
  ): Promise<Result<null, TrackerError>> => {
    const result = await done
    if (!result.ok) return result
    onChanged(ref.projectId, ref.iid)
    return ok(null)
  }
  const told = async <T>(
    projectId: ProjectId,
    iidOf: (value: T) => number | null,
    done: Promise<Result<T, TrackerError>>,
  ): Promise<Result<T, TrackerError>> => {
    const result = await done
    if (result.ok) onChanged(projectId, iidOf(result.value))
    return result
  }

  return {
    listProjects: async () => read(tracker.listProjects(), copy),
    createProject: async (input) => {
      const created = await tracker.createProject(input)
      if (created.ok) onProjectsChanged()
      return created
    },
    deleteProject: async ({ projectId }) => {
      const deleted = await tracker.deleteProject(projectId)
      if (!deleted.ok) return deleted
      onProjectsChanged()
      return ok(null)
    },
    listPeople: async () => read(tracker.listPeople(), copy),
    addPerson: async (person) => {
      const added = await tracker.addPerson(person)
      if (added.ok) onProjectsChanged()
      return added
    },
    listLabels: async ({ projectId }) => read(tracker.listLabels(projectId), copy),
    addLabelToProject: ({ projectId, ...label }) =>
      told(projectId, () => null, tracker.addLabelToProject(projectId, label)),

    listIssues: async (input) => read(tracker.listIssues(input), (page) => page),
    getIssue: async (ref) => read(tracker.getIssue(ref), (issue) => issue),
    createIssue: (input) => told(input.projectId, (issue) => issue.iid, tracker.createIssue(input)),
    editIssue: (input) => told(input.projectId, () => input.iid, tracker.editIssue(input, input)),
    comment: (input) => told(input.projectId, () => input.iid, tracker.comment(input, input.body)),
    editComment: (input) =>
      told(
        input.projectId,
        () => input.iid,
        tracker.editComment(input, input.commentId, input.body, input.expectedUpdatedAt),
      ),
    addLabel: (input) => silently(input, tracker.addLabel(input, input.label)),
    removeLabel: (input) => silently(input, tracker.removeLabel(input, input.label)),
    assign: (input) => silently(input, tracker.assign(input, input.login)),
    unassign: (input) => silently(input, tracker.unassign(input, input.login)),
    close: (ref) => silently(ref, tracker.setOpen(ref, false)),
    reopen: (ref) => silently(ref, tracker.setOpen(ref, true)),

    listChanges: async ({ projectId, state, limit }) =>
      read(tracker.listChanges(projectId, state, limit), copy),
    getChange: async (input) => read(tracker.getChange(input, input.maxDiffBytes), (change) => change),
    mergeChange: (input) =>
      told(input.projectId, (change) => change.closesIid, tracker.mergeChange(input, input)),
    openChange: (input) => told(input.projectId, () => input.iid, tracker.openChange(input, input)),
    closeChange: async (input) => {
      const closed = await told(input.projectId, (change) => change.closesIid, tracker.closeChange(input))
      return closed.ok ? ok(null) : closed
    },
  }
}

const copy = <T>(list: readonly T[]): T[] => [...list]

async function read<T, U>(
  answer: Promise<Result<T, TrackerError>>,
  to: (value: T) => U,
): Promise<Result<U, ReadError>> {
  const result = await answer
  if (result.ok) return ok(to(result.value))
  if (result.error.type === 'not_found') return err(result.error)
  throw new Error(result.error.message)
}
