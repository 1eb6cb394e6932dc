import { formatBytes, shortId } from '@shared/format'
import { formatToolDuration } from '@shared/format/durations'
import type { IconName } from '../../components/icon'
import {
  countLines,
  type SessionRow,
  type ToolRow,
  type TranscriptRow,
} from '../../lib/transcript/transcript-rows'

/** Tools have the names of their CLIs; the picture is guessed from the name, the name is always shown. */
const toolIcons: readonly (readonly [RegExp, IconName])[] = [
  [/edit|write|patch|replace|create/i, 'pencil'],
  [/read|view|open|cat/i, 'file'],
  [/search|grep|glob|find|list/i, 'search'],
  [/bash|shell|exec|run|command|terminal/i, 'terminal'],
  [/web|fetch|http|browse/i, 'globe'],
  [/git|commit/i, 'commit'],
  [/todo|plan|task/i, 'list'],
]

export function rowIcon(row: TranscriptRow): IconName | 'agent' {
  switch (row.kind) {
    case 'text':
      return 'agent'
    case 'thought':
      return 'message'
    case 'tool':
      return toolIcons.find(([pattern]) => pattern.test(row.name))?.[1] ?? 'wrench'
    case 'session':
      return row.proof === 'resumed' || row.proof === 'named'
        ? 'link'
        : row.proof === 'other_id'
          ? 'unlink'
          : 'sprout'
    case 'notice':
      return 'info'
    case 'retry':
      return 'retry'
    case 'warning':
      return 'warning'
    case 'error':
      return 'circle-x'
    case 'result':
      return row.succeeded ? 'circle-check' : 'circle-x'
    case 'cut':
      return 'scissors'
    case 'output':
      return 'terminal'
  }
}

/** What a tool gave, in figures: "214 lines · 0.3s". */
export function toolFigures({ at, result }: Pick<ToolRow, 'at' | 'result'>): string {
  if (result === null) return ''
  const lines = countLines(result.output)
  const parts = [
    lines === 0 ? null : lines === 1 ? '1 line' : `${lines.toLocaleString('en')} lines`,
    formatToolDuration(result.at - at),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

export const cutWords = ({
  bytes,
  keptBytes,
}: {
  readonly bytes: number
  readonly keptBytes: number
}): string => `1 line cut: ${formatBytes(bytes)} on a single line, first ${formatBytes(keptBytes)} kept`

/** What the first event with an id proves; the bold words come first. */
export function sessionWords({
  proof,
  nativeId,
}: Pick<SessionRow, 'proof' | 'nativeId'>): readonly [string, string] {
  switch (proof) {
    case 'resumed':
      return ['Memory proven.', 'The first event carries the id that was asked for.']
    case 'named':
      return [
        'The session that was asked for.',
        'The agent tells its id at the end; that its memory grew in this run is the proof.',
      ]
    case 'other_id':
      return ['Memory not resumed.', `The agent answered with another session, ${shortId(nativeId)}.`]
    // Sessions do not apply to the run, which the CLI does not know.
    case null:
      return ['New session.', `The agent calls it ${shortId(nativeId)}. No later run goes on with it.`]
    case 'fresh':
      return ['New session.', `The agent calls it ${shortId(nativeId)}.`]
  }
}

const kindWords: Readonly<Record<TranscriptRow['kind'], string>> = {
  text: 'Agent',
  thought: 'Thought',
  tool: 'Tool',
  session: 'Session',
  notice: 'Notice',
  retry: 'Retry',
  warning: 'Warning',
  error: 'Error',
  result: 'Result',
  cut: 'Cut',
  output: 'Output',
}

/** A row for a screen reader: what it is, then its words, cut where they go on too long to be heard. */
export function spokenRow(row: TranscriptRow): string {
  const name = kindWords[row.kind]
  switch (row.kind) {
    case 'tool': {
      const end =
        row.result === null ? 'running' : row.result.failed ? `failed, ${toolFigures(row)}` : toolFigures(row)
      return `${row.name} ${row.summary}, ${end}`
    }
    case 'session':
      return sessionWords(row).join(' ')
    case 'cut':
      return cutWords(row)
    case 'output':
      return `${name}, ${row.lineCount === 1 ? '1 line' : `${row.lineCount} lines`}`
    default:
      return `${name}: ${row.text.slice(0, 600)}`
  }
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `14:02:09`: the transcript tells seconds, always in the same width. */
export const formatSeconds = (at: number): string => clock.format(at)
