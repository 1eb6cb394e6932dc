import { useMemo } from 'react'
import type { MailboxRow } from '@shared/contract/mailboxes'
import { actionLabel, findAction, useOffers } from '../../lib/keyboard/actions'
import { actionIds, keyMap, type ActionId } from '../../lib/keyboard/key-map'
import { useQueryEntry } from '../../lib/use-query-entry'
import { matchesWords } from './match-parts'
import type { PaletteScope } from './palette-scope'

export interface PaletteCommand {
  readonly id: ActionId
  readonly label: string
  readonly disabledReason: string | null
  /** Commands on what is selected come first. */
  readonly isOnSelection: boolean
}

export interface PaletteResults {
  readonly commands: readonly PaletteCommand[]
  readonly mailboxes: readonly MailboxRow[]
  readonly isSearching: boolean
}

const mailboxLimit = 8

/** The commands that are offered now, and the mailboxes with the words. */
export function usePaletteResults(query: string, scope: PaletteScope, withDone: boolean): PaletteResults {
  const offers = useOffers((state) => state.offers)
  const commands = useMemo(
    () => (scope === 'issues' ? [] : offeredCommands(offers, query)),
    [offers, query, scope],
  )
  const isSearching = scope !== 'commands'
  const input = {
    projectId: null,
    text: query === '' ? null : query,
    limit: mailboxLimit,
    before: null,
  } as const
  const open = useQueryEntry(
    'mailboxes.list',
    { ...input, filter: 'all-open' },
    { enabled: isSearching, keepPrevious: true },
  )
  const done = useQueryEntry(
    'mailboxes.list',
    { ...input, filter: 'done' },
    { enabled: isSearching && withDone, keepPrevious: true },
  )
  const mailboxes = useMemo(
    () => (isSearching ? [...(open.data?.rows ?? []), ...(withDone ? (done.data?.rows ?? []) : [])] : []),
    [isSearching, open.data, done.data, withDone],
  )
  return { commands, mailboxes, isSearching: isSearching && (open.isFetching || done.isFetching) }
}

function offeredCommands(offers: Parameters<typeof findAction>[1], query: string): readonly PaletteCommand[] {
  const offered = actionIds.flatMap((id): readonly PaletteCommand[] => {
    const action = findAction(id, offers)
    if (!action || keyMap[id].isSilent) return []
    return [
      {
        id,
        label: actionLabel(id, action),
        disabledReason: action.disabledReason ?? null,
        isOnSelection: keyMap[id].group === 'Selected run' || keyMap[id].group === 'Transcript',
      },
    ]
  })
  return offered.filter((command) => matchesWords(command.label, query))
}
