import { err } from '@shared/result'
import { done, failed, jsonOption, onIssue, printJson, ref } from './on-issue'

export const issueChangeCommand = onIssue(
  {
    name: 'issue change',
    about: 'Proposes a branch that you pushed as a change that closes the issue.',
    options: {
      branch: { type: 'string', value: 'NAME', about: 'The branch, pushed to the project (required).' },
      title: { type: 'string', value: 'TEXT', about: "The title of the change (default: the issue's)." },
      json: jsonOption,
    },
    details:
      'It goes into the default branch: "alfred issue diff" shows it, "alfred issue merge" merges it and closes the issue.',
  },
  async (context, issue) => {
    const { client, args } = context
    const branch = args.text('branch')
    if (branch === null) return err({ type: 'usage', message: '--branch is missing' })
    const opened = await client.call('tracker', 'openChange', {
      ...ref(issue),
      branch,
      title: args.text('title'),
    })
    if (!opened.ok) {
      return opened.error.type === 'not_found' && opened.error.what === `branch ${branch.trim()}`
        ? err({ type: 'failed', message: `There is no branch ${branch} in the project: push it first.` })
        : failed(opened.error)
    }
    if (args.flag('json')) return printJson(context, opened.value)
    const { iid, sourceBranch, targetBranch } = opened.value
    return done(context, `!${iid}: ${sourceBranch} -> ${targetBranch}, closes ${issue.name}.`)
  },
)
