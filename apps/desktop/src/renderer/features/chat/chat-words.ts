import type { ChatMemory, ChatTurn, OpenedChat } from '@shared/contract/chats'
import type { TimelineRow } from '@shared/contract/sessions'
import { counted, formatAge, formatBytes, formatCost, formatDuration } from '@shared/format'
import { formatCostSum } from '@shared/format/costs'
import { formatTime } from '@shared/format/times'
import { formatTokenTotal, totalTokens } from '@shared/format/tokens'
import type { RunId } from '@shared/model/ids'
import type { ResumeFailure } from '@shared/model/words'
import { losesMemory, phaseWords } from '@shared/phase-words'
import { meterLevel } from '../../lib/meter-level'

/*
 * The words of the chat screen, from facts.
 */

/** What the banner says of the memory that a chat goes on with: what happened in bold, then what it means. */
export function bannerWords(
  chat: OpenedChat,
  freshSince: RunId | null,
): { readonly title: string; readonly text: string } {
  const continued = `Continues run ${chat.runId}, ${phaseWords[chat.phase].toLowerCase()}.`
  if (chat.isReplay)
    return {
      title: chat.isFresh ? 'A new chat, without a memory.' : continued,
      text: `The agent does not remember it: with each message it is told a replay of ${
        chat.isFresh ? 'the chat' : 'the transcript'
      }.`,
    }
  if (chat.isFresh)
    return {
      title: 'A new chat, with a fresh memory.',
      text: 'The agent is told the issue, the plan and the diff with your first message.',
    }
  if (freshSince !== null)
    return {
      title: continued,
      text: `The agent remembers everything from run ${freshSince} on, where a fresh memory began.`,
    }
  return { title: continued, text: 'The agent remembers everything up to there.' }
}

/** `1.4 MB, saved 6m ago` */
export function stateWords(chat: Pick<OpenedChat, 'stateBytes' | 'savedAt'>, now: number): string | null {
  const facts = [
    chat.stateBytes === null ? null : formatBytes(chat.stateBytes),
    chat.savedAt === null ? null : `saved ${formatAge(now - chat.savedAt)} ago`,
  ].filter((fact) => fact !== null)
  return facts.length === 0 ? null : facts.join(', ')
}

/** `18s · $0.06 · 21k tok · context 63 %`; of a turn that goes on `26s so far · $0.21`. */
export function turnFigures(
  { row, contextUsed, contextMax }: Omit<ChatTurn, 'failure' | 'lostSessionId' | 'notes'>,
  now: number,
): string {
  const isLive = row.state !== 'ended'
  const took = row.startedAt === null ? null : formatDuration((row.endedAt ?? now) - row.startedAt)
  const tokens = totalTokens(row)
  return [
    took === null ? null : isLive ? `${took} so far` : took,
    row.costUsd === null ? (isLive ? null : 'cost unknown') : formatCost(row.costUsd),
    tokens === null || isLive ? null : formatTokenTotal(tokens),
    contextUsed === null || contextMax === null || contextMax <= 0 || isLive
      ? null
      : `context ${Math.round((contextUsed / contextMax) * 100)} %`,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

const lostBecause: Readonly<Record<ResumeFailure, (row: TimelineRow) => string>> = {
  state_missing: () => 'Its state is gone.',
  unsupported_version: ({ adapter, adapterVersion }) =>
    `${[adapter, adapterVersion].filter(Boolean).join(' ')} cannot read its state.`,
  refused: () => 'The CLI refused to resume it.',
}

export interface FallbackWords {
  readonly title: string
  readonly reason: string
  readonly text: string
}

/** Of a turn that could not resume; null where it lost nothing. Letters are null where they are not known. */
export function fallbackWords(
  { row }: ChatTurn,
  letters: { readonly lost: string | null; readonly own: string | null },
): FallbackWords | null {
  const { resumeFallback } = row
  if (!losesMemory(resumeFallback)) return null
  const lost = letters.lost === null ? 'the old memory' : `memory ${letters.lost}`
  const own = letters.own === null ? 'a fresh session' : `a fresh session, memory ${letters.own}`
  return {
    title: `This turn could not resume ${lost}.`,
    reason: lostBecause[resumeFallback](row),
    text: `Nothing of ${lost} was changed. Your message was kept and ${
      row.state === 'ended' ? 'answered by' : 'given to'
    } ${own}, which has read the plan, the diff and the open threads again.`,
  }
}

/** What is said before the context of a memory is full; null while there is room, or nobody knows. */
export function contextWarning(
  used: number | null,
  max: number | null,
): { readonly tone: 'warn' | 'bad'; readonly title: string; readonly text: string } | null {
  const level = meterLevel(used, max)
  if (used === null || max === null || (level !== 'high' && level !== 'full')) return null
  const percent = Math.round((used / max) * 100)
  return level === 'full'
    ? {
        tone: 'bad',
        title: `The context is almost full (${percent} %).`,
        text: 'The next message may be refused, or the agent sums up what it knows and forgets details. A new chat begins with room.',
      }
    : {
        tone: 'warn',
        title: `The context is ${percent} % full.`,
        text: 'When it is full, the agent sums up what it knows or refuses to go on.',
      }
}

/** `2.4 MB · 5 runs · last Mon 15:58` */
export const memoryFigures = (memory: ChatMemory, now: number): string =>
  [
    memory.stateBytes === null ? 'size unknown' : formatBytes(memory.stateBytes),
    counted(memory.runs, 'run'),
    `last ${formatTime(memory.usedAt, { now })}`,
  ].join(' · ')

export function memoryStateWords(memory: ChatMemory, isInUse: boolean, now: number): string {
  const since = memory.since === null ? '' : formatTime(memory.since, { now })
  if (memory.state === 'removed') return `Removed at cleanup on ${since}`
  if (memory.state === 'lost') return `Not resumed since ${since}`
  return isInUse ? 'In use by this chat' : 'Can be continued'
}

/** `today 10:25 · 2 turns · $0.18` */
export const chatFigures = (
  chat: {
    readonly at: number
    readonly turns: number
    readonly costUsd: number | null
    readonly costUnknown: number
  },
  now: number,
): string =>
  `${formatTime(chat.at, { now })} · ${counted(chat.turns, 'turn')} · ${formatCostSum(chat.costUsd, chat.costUnknown)}`
