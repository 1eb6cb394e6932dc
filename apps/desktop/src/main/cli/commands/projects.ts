import { resolve } from 'node:path'
import { err, ok } from '@shared/result'
import type { Command } from '../command'
import { describeError, exitCodes } from '../failures'
import { table } from '../output'
import { findProject } from '../references'

export const projectListCommand: Command = {
  name: 'project list',
  about: 'The projects of the local forge, and where to clone them from.',
  positionals: [],
  options: { json: { type: 'boolean', about: 'Print as JSON.' } },
  needs: 'answers',
  async run({ client, args, output, spell }) {
    const projects = await client.call('tracker', 'listProjects', {})
    if (!projects.ok) return err({ type: 'failed', message: describeError(projects.error) })
    if (args.flag('json')) output.json(projects.value)
    else if (projects.value.length === 0)
      output.line(spell('No project yet: "alfred project create NAME" makes one.'))
    else {
      const rows = projects.value.map((project) => [
        `${project.organization}/${project.slug}`,
        String(project.openIssues),
        String(project.openChanges),
        project.defaultBranch,
        project.remotePath,
      ])
      output.line(table(['project', 'issues', 'changes', 'branch', 'git remote'], rows))
    }
    return ok(exitCodes.done)
  },
}

export const projectCreateCommand: Command = {
  name: 'project create',
  about: 'Makes a project on the local forge, empty or from a repository of this computer.',
  positionals: ['NAME'],
  options: {
    organization: {
      type: 'string',
      value: 'NAME',
      about: 'Its organization (default: local). NAME may also be organization/name.',
    },
    from: {
      type: 'string',
      value: 'FOLDER',
      about: 'Take over all branches and tags of this repository; it is only read.',
    },
    json: { type: 'boolean', about: 'Print the project as JSON.' },
  },
  needs: 'answers',
  async run({ client, args, output }) {
    const [first = '', second] = (args.positionals[0] ?? '').split('/')
    const organization = second === undefined ? (args.text('organization') ?? 'local') : first
    const from = args.text('from')
    const created = await client.call('tracker', 'createProject', {
      organization,
      name: second ?? first,
      source: from === null ? { kind: 'empty' } : { kind: 'import', path: resolve(from) },
    })
    if (!created.ok) return err({ type: 'failed', message: describeError(created.error) })
    if (args.flag('json')) output.json(created.value)
    else
      output.line(
        `${created.value.organization}/${created.value.slug} is there. Clone it with: git clone ${created.value.remotePath}`,
      )
    return ok(exitCodes.done)
  },
}

export const projectRemoveCommand: Command = {
  name: 'project remove',
  about: 'Removes a project of the local forge with its issues, runs and repository, for good.',
  positionals: ['PROJECT'],
  options: { yes: { type: 'boolean', about: 'Yes, for good.' } },
  needs: 'answers',
  async run({ client, args, output }) {
    const project = await findProject(client, args.positionals[0] ?? '')
    if (!project.ok) return project
    if (!args.flag('yes'))
      return err({
        type: 'failed',
        message: `This removes ${project.value.path} for good. Add --yes if you mean it.`,
      })
    const removed = await client.call('tracker', 'deleteProject', { projectId: project.value.id })
    if (!removed.ok) return err({ type: 'failed', message: describeError(removed.error) })
    output.line(`${project.value.path} is removed.`)
    return ok(exitCodes.done)
  },
}
