import type { EngineStatus } from '@shared/contract/app'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { RunDetail, TranscriptEvent } from '@shared/contract/runs'
import { rowSentence } from '@shared/timeline/row-sentence'
import { needsYouSentences, needsYouTitles, queuedTitle } from '@renderer/features/mailboxes/strings'
import { dockerText } from '@renderer/features/navigation/status-texts'
import { bannerWords } from '@renderer/features/notifications/banner-words'
import { failureSentences } from '@renderer/features/run/failure-words'
import { cutWords, sessionWords } from '@renderer/features/run/row-looks'
import { stateWords } from '@renderer/features/run/run-words'
import { queueReasons } from '@renderer/lib/now-words'
import { append, emptyTranscript, type TranscriptRow } from '@renderer/lib/transcript/transcript-rows'

/*
 * What the window shows, without a window: the words come from the functions that the window itself asks. One entry is
 * one piece of text on the screen.
 */

export type Screen = readonly string[]

/** The run screen: state, failure, transcript; and the run's row on the timeline. */
export function runScreen(detail: RunDetail, events: readonly TranscriptEvent[]): Screen {
  const now = Date.now()
  const failure = detail.failure === null ? null : failureSentences(detail, detail.failure)
  const letter = detail.row.nativeSessionId === null ? null : 'A'
  return [
    stateWords(detail, now).text,
    ...(failure === null ? [] : [`${failure.title} ${failure.text}`, failure.message ?? '']),
    ...append(emptyTranscript, events).rows.map(rowText),
    ...detail.changedFiles.map(({ path }) => path),
    rowSentence({ row: detail.row, letter, position: 1, total: 1, now }),
  ]
}

function rowText(row: TranscriptRow): string {
  switch (row.kind) {
    case 'cut':
      return cutWords(row)
    case 'session':
      return sessionWords(row).join(' ')
    case 'tool':
      return `${row.name} ${row.summary} ${row.input} ${row.result?.output ?? ''}`
    default:
      return row.text
  }
}

/** The frame around every screen: banners and the status bar. */
export const frameScreen = (status: EngineStatus): Screen => [
  dockerText(status.docker),
  ...status.banners.map((banner) => {
    const { title, text } = bannerWords(banner, Date.now())
    return `${title} ${text}`
  }),
]

/** The strip that says what happens with an issue now. */
export function stripScreen({ now }: MailboxDetail): Screen {
  if (now?.kind === 'queued') return [`${queuedTitle(now)} ${queueReasons[now.reason]}`]
  if (now?.kind !== 'needs_you') return []
  return [`${needsYouTitles[now.needsYou]} ${now.detail ?? ''} ${needsYouSentences[now.needsYou]}`]
}

/** Whether a sentence of the table stands in one entry of the screen; `…` is any text. */
export function isShown(screen: Screen, words: string): boolean {
  const pattern = words
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[^]*')
  return screen.some((entry) => new RegExp(pattern).test(entry))
}
