import { useEffect, useMemo, useState } from 'react'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { holdOrder } from './held-order'

/** A new order waits no longer than this. */
const longestHoldMs = 10_000

export interface HeldRows {
  readonly rows: readonly MailboxRow[]
  /** For the list: what holds the order. */
  readonly hold: (by: 'pointer' | 'focus', isHeld: boolean) => void
}

/** Rows latest first, that do not move while the pointer or the focus is in the list. `listKey` names which list it is. */
export function useHeldRows(fresh: readonly MailboxRow[], listKey: string): HeldRows {
  const [held, setHeld] = useState({ pointer: false, focus: false })
  const [shown, setShown] = useState<{ readonly key: string; readonly ids: readonly number[] }>({
    key: listKey,
    ids: [],
  })
  const isHeld = (held.pointer || held.focus) && shown.key === listKey
  const freshIds = useMemo(() => fresh.map((row) => row.id), [fresh])
  const ids = useMemo(() => holdOrder(shown.ids, freshIds, isHeld), [shown.ids, freshIds, isHeld])
  const isWaiting = isHeld && ids.some((id, index) => id !== freshIds[index])

  if (shown.key !== listKey || !sameIds(shown.ids, ids)) setShown({ key: listKey, ids })

  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setShown({ key: listKey, ids: freshIds }), longestHoldMs)
    return () => clearTimeout(timer)
  }, [isWaiting, freshIds, listKey])

  const rowById = useMemo(() => new Map(fresh.map((row) => [row.id as number, row])), [fresh])
  return {
    rows: ids.map((id) => rowById.get(id)).filter((row) => row !== undefined),
    hold: (by, isNowHeld) => setHeld((now) => (now[by] === isNowHeld ? now : { ...now, [by]: isNowHeld })),
  }
}

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index])
