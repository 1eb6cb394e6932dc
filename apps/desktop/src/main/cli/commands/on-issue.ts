import type { ProjectId } from '@shared/model/ids'
import { err, ok } from '@shared/result'
import type { CommandContext, CommandResult, EngineCommand } from '../command'
import { describeError, exitCodes } from '../failures'
import { findProject, parseIssueReference } from '../references'
import type { CommandSpec } from '../usage'

export interface Issue {
  readonly projectId: ProjectId
  readonly iid: number
  /** As people write it. */
  readonly name: string
}

/** A command about one issue. */
export const onIssue = (
  spec: Omit<CommandSpec, 'positionals'> & {
    readonly positionals?: readonly string[]
    readonly needs?: EngineCommand['needs']
  },
  act: (context: CommandContext, issue: Issue) => Promise<CommandResult>,
): EngineCommand => ({
  ...spec,
  positionals: ['PROJECT#IID', ...(spec.positionals ?? [])],
  needs: spec.needs ?? 'answers',
  async run(context) {
    const reference = parseIssueReference(context.args.positionals[0] ?? '')
    if (!reference.ok) return reference
    const project = await findProject(context.client, reference.value.projectPath)
    if (!project.ok) return project
    const { iid } = reference.value
    return act(context, { projectId: project.value.id, iid, name: `${project.value.path}#${iid}` })
  },
})

export const failed = (error: unknown): CommandResult =>
  err({ type: 'failed', message: describeError(error) })
export const done = (context: CommandContext, text: string): CommandResult => {
  context.output.line(text)
  return ok(exitCodes.done)
}

/** What entries of the tracker ask for. */
export const ref = ({ projectId, iid }: Issue) => ({ projectId, iid })

export function printJson({ output }: CommandContext, value: unknown): CommandResult {
  output.json(value)
  return ok(exitCodes.done)
}

export const jsonOption = { type: 'boolean', about: 'Print as JSON.' } as const
