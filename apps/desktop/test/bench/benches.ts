import { agentEventBenches } from './agent-events'
import { benchClaudeOverhead } from './claude-overhead'
import { benchColdStart } from './cold-start'
import { benchDemo } from './demo'
import { benchChatTurn, benchLongChat } from './chats'
import type { BenchRow } from './figures'
import { benchIdle } from './idle'
import { benchIdlePoll } from './idle-poll'
import { benchLongLines, benchPacedIngest, benchUnpacedIngest } from './stream-ingest'
import { benchLongRuns } from './long-runs'
import { benchPriorLookup } from './prior-lookup'
import { benchDemoOverhead } from './run-overhead'
import { benchSecondStart } from './second-start'
import { benchStop } from './run-stop'
import { benchAttach, benchKeyEcho } from './terminals'
import { benchTimelinePage } from './timeline-page'
import { benchTranscriptSearch } from './transcript-search'

export interface Bench {
  /** What `--only` may name. */
  readonly topic: string
  /** `app` is the folder of the built app. */
  measure(app: string): Promise<readonly BenchRow[]>
}

/** In the order in which they run: what measures the computer's own speed comes before what heats it up. */
export const benches: readonly Bench[] = [
  { topic: 'prior-lookup', measure: async () => benchPriorLookup() },
  { topic: 'timeline', measure: async () => [benchTimelinePage()] },
  { topic: 'search', measure: async () => [benchTranscriptSearch()] },
  ...agentEventBenches,
  { topic: 'cold-start', measure: async (app) => [await benchColdStart(app)] },
  { topic: 'start-again', measure: benchSecondStart },
  { topic: 'demo', measure: benchDemo },
  { topic: 'idle', measure: benchIdle },
  { topic: 'poll', measure: benchIdlePoll },
  { topic: 'long-runs', measure: benchLongRuns },
  { topic: 'long-chat', measure: benchLongChat },
  { topic: 'overhead-demo', measure: benchDemoOverhead },
  { topic: 'overhead-claude', measure: benchClaudeOverhead },
  { topic: 'chat-turn', measure: benchChatTurn },
  { topic: 'echo', measure: benchKeyEcho },
  { topic: 'attach', measure: benchAttach },
  { topic: 'stop', measure: benchStop },
  { topic: 'ingest-paced', measure: benchPacedIngest },
  { topic: 'ingest-unpaced', measure: benchUnpacedIngest },
  { topic: 'ingest-lines', measure: benchLongLines },
]

/** Those whose topic begins with one of the words; all without words. */
export function chosenBenches(all: readonly Bench[], words: readonly string[]): readonly Bench[] {
  const unknown = words.filter((word) => word === '' || !all.some(({ topic }) => topic.startsWith(word)))
  if (unknown.length > 0) {
    throw new Error(
      `no row is called ${unknown.join(', ')}: name one of ${all.map(({ topic }) => topic).join(', ')}`,
    )
  }
  return words.length === 0 ? all : all.filter(({ topic }) => words.some((word) => topic.startsWith(word)))
}
