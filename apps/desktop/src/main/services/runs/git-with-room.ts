import { diskFull } from '../../ports/storage-failure'
import type { Git, MailboxRepository } from '../../ports/git'
import type { Result } from '@shared/result'

type Asked = (
  ...args: readonly unknown[]
) => Promise<Result<unknown, { readonly type: string; readonly message: string }>>

/**
 * Git as runs use it: what fails for want of room on the disk is thrown, so that whoever asked waits and asks again;
 * it says nothing about the work that was to be fetched.
 */
export function gitWithRoom(git: Git): Git {
  return {
    ...git,
    async openMailboxRepository(path) {
      const opened = await git.openMailboxRepository(path)
      if (opened.ok) return { ok: true, value: repositoryWithRoom(opened.value) }
      if (opened.error.type === 'disk_full') throw diskFull(opened.error.message)
      return opened
    },
  }
}

function repositoryWithRoom(repository: MailboxRepository): MailboxRepository {
  const guarded = Object.entries(repository).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? withRoom(value as Asked) : value,
  ])
  return Object.fromEntries(guarded) as MailboxRepository
}

const withRoom =
  (ask: Asked): Asked =>
  async (...args) => {
    const answer = await ask(...args)
    if (!answer.ok && answer.error.type === 'disk_full') throw diskFull(answer.error.message)
    return answer
  }
