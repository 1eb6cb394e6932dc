import { Command } from 'cmdk'
import type { TranscriptHit } from '@shared/contract/runs'
import { mailboxReference } from '@shared/format/references'
import { formatTime } from '@shared/format/times'
import { phaseWords } from '@shared/phase-words'
import { Icon } from '../../components/icon'
import { MemoryBadge } from '../../components/memory-badge'
import { useMinute } from '../../lib/clock'
import { Highlight } from './highlight'
import { eventKindWords } from './strings'

export interface TranscriptItemsProps {
  readonly hits: readonly TranscriptHit[]
  readonly query: string
  readonly onChoose: (hit: TranscriptHit) => void
}

/** Where agents said or did something with the words, newest first. */
export function TranscriptItems({ hits, query, onChoose }: TranscriptItemsProps) {
  const now = useMinute()
  if (hits.length === 0) return null
  return (
    <Command.Group heading="Transcripts">
      {hits.map((hit) => (
        <Command.Item
          key={`${hit.row.runId} ${hit.seq}`}
          value={`event ${hit.row.runId} ${hit.seq}`}
          data-test="palette-item"
          data-run={hit.row.runId}
          data-seq={hit.seq}
          onSelect={() => onChoose(hit)}
        >
          <Icon name={hit.kind === 'tool' || hit.kind === 'tool_result' ? 'terminal' : 'message'} size={15} />
          <span className="grid min-w-0 grow gap-0.5">
            <span className="cut">
              <Highlight text={hit.excerpt} query={query} />
            </span>
            <span className="cut text-11 text-ink-3">
              {[
                mailboxReference(hit.mailboxKind, hit.iid, hit.forgeKind),
                phaseWords[hit.row.phase].toLowerCase(),
                `run ${hit.row.runId}`,
                `${eventKindWords[hit.kind]}, ${formatTime(hit.at, { now })}`,
              ].join(' · ')}
            </span>
          </span>
          <MemoryBadge row={hit.row} />
        </Command.Item>
      ))}
    </Command.Group>
  )
}
