import type { ForgeKind, MailboxKind } from '../model/words'

/** `run 431`. */
export const runReference = (id: number): string => `run ${id}`

const PULL_REQUEST_FORGES: ReadonlySet<ForgeKind> = new Set(['github', 'forgejo', 'gitea'])

/** `#128` for an issue; a merge request as its forge says it: `!342`, `PR 342`. */
export function mailboxReference(kind: MailboxKind, iid: number, forge: ForgeKind): string {
  return kind === 'issue' ? `#${iid}` : changeReference(iid, forge)
}

/** A change as its forge says it: `!342`, or `PR 342`. */
export const changeReference = (iid: number, forge: ForgeKind): string =>
  PULL_REQUEST_FORGES.has(forge) ? `PR ${iid}` : `!${iid}`
