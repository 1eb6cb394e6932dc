import { useEffect } from 'react'
import type { RunId } from '@shared/model/ids'
import { announce } from '../../lib/announcer'
import { engine } from '../../lib/engine-client'
import { onEngineChanges } from '../../lib/follow-engine'
import { runMessage, type ToldRun } from './run-messages'

/** A run may change many times a second; it is looked at this often at most. */
const lookEveryMs = 500

/** Tells a screen reader what happens to runs, wherever the window is. */
export function useRunAnnouncements(): void {
  useEffect(() => {
    const known = new Map<RunId, ToldRun>()
    const listeningSince = Date.now()
    const planned = new Map<RunId, ReturnType<typeof setTimeout>>()
    const look = async (runId: RunId): Promise<void> => {
      planned.delete(runId)
      const detail = await engine.query('runs.get', { runId }).catch(() => null)
      if (!detail) return
      const now: ToldRun = { ...detail.row, iid: detail.mailboxIid }
      // a run that began while we listen was queued before we could look
      const before = detail.row.createdAt > listeningSince ? { ...now, state: 'queued' as const } : null
      const text = runMessage(known.get(runId) ?? before, now)
      known.set(runId, now)
      if (text !== null) announce(`run ${runId}`, text)
    }
    const end = onEngineChanges((events) => {
      for (const event of events) {
        if (event.type !== 'run' || planned.has(event.runId)) continue
        planned.set(
          event.runId,
          setTimeout(() => void look(event.runId), lookEveryMs),
        )
      }
    })
    return () => {
      end()
      for (const timer of planned.values()) clearTimeout(timer)
    }
  }, [])
}
