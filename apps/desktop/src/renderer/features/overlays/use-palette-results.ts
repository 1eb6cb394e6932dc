import { useMemo } from 'react'
import type { TranscriptHit } from '@shared/contract/runs'
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
  readonly transcripts: {
    readonly hits: readonly TranscriptHit[]
    readonly total: number
    readonly isTotalCut: boolean
    readonly tookMs: number
  }
  readonly isSearching: boolean
}

const selectionGroups: ReadonlySet<string> = new Set(['Selected run', 'Transcript', 'Chat'])
const mailboxLimit = 8
/** Beside everything else; alone there are more. */
const hitLimits = { beside: 3, alone: 50 } as const
/** A single letter is in everything. */
const leastLetters = 2
const noHits = { hits: [], total: 0, isTotalCut: false, tookMs: 0 } as const

/** The commands that are offered now, and the mailboxes with the words. */
export function usePaletteResults(query: string, scope: PaletteScope, withDone: boolean): PaletteResults {
  const offers = useOffers((state) => state.offers)
  const commands = useMemo(
    () => (scope === 'issues' || scope === 'transcripts' ? [] : offeredCommands(offers, query)),
    [offers, query, scope],
  )
  const isSearching = scope === 'everything' || scope === 'issues'
  const isInTranscripts = (scope === 'everything' || scope === 'transcripts') && query.length >= leastLetters
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
  const found = useQueryEntry(
    'runs.searchTranscripts',
    { text: query, limit: scope === 'transcripts' ? hitLimits.alone : hitLimits.beside },
    { enabled: isInTranscripts, keepPrevious: true },
  )
  const mailboxes = useMemo(
    () => (isSearching ? [...(open.data?.rows ?? []), ...(withDone ? (done.data?.rows ?? []) : [])] : []),
    [isSearching, open.data, done.data, withDone],
  )
  return {
    commands,
    mailboxes,
    transcripts: isInTranscripts && found.data ? found.data : noHits,
    isSearching:
      (isSearching && (open.isFetching || done.isFetching)) || (isInTranscripts && found.isFetching),
  }
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
        isOnSelection: selectionGroups.has(keyMap[id].group),
      },
    ]
  })
  return offered.filter((command) => matchesWords(command.label, query))
}
