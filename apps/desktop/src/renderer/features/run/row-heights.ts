import { countLines, type TranscriptRow } from '../../lib/transcript/transcript-rows'

const padding = 8
const line = 19
/** As many letters have room beside the facts of the run. */
const lettersInLine = 110

/** Of rows that are folded, or a line long. */
const heights: Readonly<Record<Exclude<TranscriptRow['kind'], 'text' | 'result' | 'output'>, number>> = {
  thought: 28,
  tool: 28,
  session: 27,
  notice: 27,
  retry: 27,
  warning: 27,
  error: 27,
  cut: 38,
}

/** In CSS pixels, before a row is drawn. The nearer it comes, the less must be put right while somebody scrolls. */
export function likelyHeight(row: TranscriptRow): number {
  switch (row.kind) {
    case 'text':
      return padding + line * wrappedLines(row.text)
    case 'result':
      return padding + line * (1 + wrappedLines(row.text))
    case 'output':
      return padding + line * Math.min(row.lineCount, 12)
    default:
      return heights[row.kind]
  }
}

const wrappedLines = (text: string): number =>
  Math.max(1, countLines(text), Math.ceil(text.length / lettersInLine))
