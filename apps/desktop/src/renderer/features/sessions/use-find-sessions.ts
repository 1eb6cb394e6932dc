import { useCallback, useRef, useState } from 'react'
import type { FoundSession } from '@shared/contract/sessions'
import type { MailboxId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'
import { engine } from '../../lib/engine-client'
import { sessionProblem } from './strings'

export interface FinderProblem {
  readonly adapter: AdapterId
  /** What happened, and what to do. */
  readonly message: string
}

/** How far the look into a folder has come. */
export type Look =
  | { readonly state: 'none' }
  | {
      readonly state: 'looking'
      readonly folder: string
      readonly adapter: AdapterId
      readonly done: number
      readonly of: number
      readonly sessions: readonly FoundSession[]
    }
  | {
      readonly state: 'done'
      readonly folder: string
      readonly adapters: readonly AdapterId[]
      readonly sessions: readonly FoundSession[]
      /** There are more, older ones. */
      readonly isCut: boolean
      /** CLIs that could not be looked at; the others were. */
      readonly problems: readonly FinderProblem[]
    }
  | { readonly state: 'failed'; readonly message: string }

/** Looks for sessions of one CLI after the other; what is found shows at once. A new look ends the one before. */
export function useFindSessions(mailboxId: MailboxId) {
  const [look, setLook] = useState<Look>({ state: 'none' })
  const latest = useRef(0)
  const start = useCallback(
    async (folder: string): Promise<void> => {
      const own = (latest.current += 1)
      const tell = (next: Look): boolean => {
        if (latest.current === own) setLook(next)
        return latest.current === own
      }
      const finders = await engine.query('sessions.finders', { mailboxId }).catch(() => [])
      const sessions: FoundSession[] = []
      const problems: FinderProblem[] = []
      let isCut = false
      for (const [done, { adapter, obstacle }] of finders.entries()) {
        if (!tell({ state: 'looking', folder, adapter, done, of: finders.length, sessions: [...sessions] }))
          return
        const found = await engine.command('sessions.find', { mailboxId, adapter, folder, nativeId: null })
        if (!found.ok) {
          const message = sessionProblem(found.error)
          // What is wrong with the folder is so for all of them.
          if (found.error.type === 'not_a_folder' || found.error.type === 'not_readable') {
            tell({ state: 'failed', message })
            return
          }
          problems.push({ adapter, message })
          continue
        }
        sessions.push(
          ...found.value.sessions.map((session) => ({ ...session, obstacle: obstacle ?? session.obstacle })),
        )
        isCut ||= found.value.isCut
      }
      const newestFirst = sessions.toSorted((a, b) => b.savedAt - a.savedAt)
      tell({
        state: 'done',
        folder,
        adapters: finders
          .map(({ adapter }) => adapter)
          .filter((adapter) => problems.every((problem) => problem.adapter !== adapter)),
        sessions: newestFirst,
        isCut,
        problems,
      })
    },
    [mailboxId],
  )
  return { look, start }
}
