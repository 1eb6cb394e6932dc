import { useEffect } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { MailboxId, RunId } from '@shared/model/ids'
import { announce } from '../../lib/announcer'
import { engine } from '../../lib/engine-client'
import { onEngineChanges } from '../../lib/follow-engine'
import { needsYouMessage, runMessage, type ToldRun } from './run-messages'

/** Something may change many times a second; it is looked at this often at most. */
const lookEveryMs = 500

/** Tells a screen reader what happens to runs and what waits for a person, wherever the window is. */
export function useRunAnnouncements(): void {
  useEffect(() => {
    const looks = createLooks()
    const lookAtRun = createRunLook()
    const lookAtMailbox = createMailboxLook()
    const end = onEngineChanges((events) => {
      for (const event of events) {
        if (event.type === 'run') looks.plan(`run ${event.runId}`, () => lookAtRun(event.runId))
        if (event.type === 'mailbox')
          looks.plan(`mailbox ${event.mailboxId}`, () => lookAtMailbox(event.mailboxId))
      }
    })
    return () => {
      end()
      looks.cancel()
    }
  }, [])
}

/** Looks at each thing once per pause, however often it is told to have changed. */
function createLooks() {
  const planned = new Map<string, ReturnType<typeof setTimeout>>()
  return {
    plan(key: string, look: () => Promise<void>): void {
      if (planned.has(key)) return
      const timer = setTimeout(() => {
        planned.delete(key)
        void look()
      }, lookEveryMs)
      planned.set(key, timer)
    },
    cancel(): void {
      for (const timer of planned.values()) clearTimeout(timer)
    },
  }
}

function createRunLook(): (runId: RunId) => Promise<void> {
  const known = new Map<RunId, ToldRun>()
  const listeningSince = Date.now()
  return async (runId) => {
    const detail = await engine.query('runs.get', { runId }).catch(() => null)
    if (!detail) return
    const now: ToldRun = { ...detail.row, iid: detail.mailboxIid }
    // a run that began while we listen was queued, and had proved nothing, before we could look
    const isNew = detail.row.createdAt > listeningSince
    const before = isNew ? { ...now, state: 'queued' as const, badge: 'pending' as const } : null
    const text = runMessage(known.get(runId) ?? before, now)
    known.set(runId, now)
    if (text !== null) announce(`run ${runId}`, text)
  }
}

function createMailboxLook(): (mailboxId: MailboxId) => Promise<void> {
  const known = new Map<MailboxId, MailboxDetail['needsYou']>()
  return async (mailboxId) => {
    const detail = await engine.query('mailboxes.get', { mailboxId }).catch(() => null)
    if (!detail) return
    const isFirstLook = !known.has(mailboxId)
    const text = needsYouMessage(known.get(mailboxId) ?? null, detail.needsYou, detail.iid)
    known.set(mailboxId, detail.needsYou)
    // at the first look it may have waited for long
    if (text !== null && !isFirstLook) announce(`mailbox ${mailboxId}`, text)
  }
}
