import { workText } from '@shared/cleanup-words'
import { err } from '@shared/result'
import { done, failed, onIssue } from './on-issue'

export const issueCleanupCommand = onIssue(
  {
    name: 'issue cleanup',
    about: 'Removes session memory, workspace and repository of an issue; its runs stay to be read.',
    options: { force: { type: 'boolean', about: 'Also work that was never pushed or committed.' } },
  },
  async (context, issue) => {
    const projectPath = issue.name.slice(0, issue.name.lastIndexOf('#'))
    const found = await context.client.call('mailboxes', 'find', { projectPath, iid: issue.iid })
    if (!found.ok) return failed(found.error)
    if (found.value === null)
      return done(context, `${issue.name} was never worked on: there is nothing to remove.`)
    const { mailboxId } = found.value
    const cleaned = await context.client.call('mailboxes', 'cleanUp', {
      mailboxId,
      force: context.args.flag('force'),
    })
    if (cleaned.ok)
      return done(
        context,
        cleaned.value.memoryRemoved
          ? `Memory, workspace and repository of ${issue.name} are removed.`
          : `Workspace and repository of ${issue.name} are removed. Its memory is left alone while sessions are switched off.`,
      )
    return cleaned.error.type === 'has_work'
      ? err({
          type: 'failed',
          message: `Nothing was removed. ${workText(cleaned.error)} Add --force to remove it too.`,
        })
      : failed(cleaned.error)
  },
)
