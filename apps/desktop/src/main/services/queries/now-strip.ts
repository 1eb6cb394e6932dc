import type { MailboxDetail } from '@shared/contract/mailboxes'
import type { Mailbox, Run } from '@shared/model/records'
import { runEventKindSchema } from '@shared/model/words'
import { settingsOfPhase } from '../../core/settings/phase-settings'
import { chooseAdapter } from '../runs/choose-adapter'
import { nextPhase } from '../runs/next-phase'
import type { QueryParts } from './query-parts'
import { queueWait } from './queue-wait'

type Now = NonNullable<MailboxDetail['now']>

/** Events looked at for "what it does now". */
const lookedAt = 20

/** What happens with a mailbox now; null when nothing does and nobody is waited for. */
export function nowStrip(parts: QueryParts, mailbox: Mailbox): Now | null {
  const live = parts.store.runs.findLive(mailbox.id)
  if (live) return ofRun(parts, live)
  if (mailbox.needsYou === null) return null
  return { kind: 'needs_you', needsYou: mailbox.needsYou, detail: whyNotBuilt(parts, mailbox) }
}

/** Of a change what keeps it from going on; an agent that is missing has its own words. */
function whyNotBuilt(parts: QueryParts, mailbox: Mailbox): string | null {
  if (mailbox.needsYou !== 'not_built') return null
  if (mailbox.status === 'in_ci' || mailbox.status === 'in_review')
    return 'The change has red checks, a conflict or an unanswered review'
  if (mailbox.status !== 'blocked') return null
  const project = parts.store.forges.getProject(mailbox.projectId)
  const phase = nextPhase(parts.store, mailbox)
  const adapter = chooseAdapter({
    settings: settingsOfPhase(parts.settings.of(project).values, phase),
    phase,
    project,
    installations: parts.store.installations.list(),
    images: parts.store.images.list(),
    adapters: parts.adapters,
    allowsDemonstration: parts.allowsDemonstration,
  })
  // The window puts its own full stop behind it.
  return adapter.ok ? null : adapter.error.message.replace(/\.$/, '')
}

function ofRun(parts: QueryParts, run: Run): Now | null {
  const about = { runId: run.id, phase: run.phase }
  switch (run.state) {
    case 'queued':
      return { kind: 'queued', ...about, hasBegun: hasBegun(parts, run), ...queueWait(parts, run) }
    case 'preparing': {
      const activity = parts.activities.find(run.id)
      return {
        kind: 'preparing',
        ...about,
        step: activity?.step ?? 'repository',
        fraction: activity?.fraction ?? null,
      }
    }
    case 'running': {
      const session = parts.store.sessions.listByRun(run.id).at(-1)
      return {
        kind: 'live',
        ...about,
        startedAt: run.startedAt,
        turn: session?.turns ?? null,
        activity: lastActivity(parts, run),
        contextUsed: session?.contextUsed ?? null,
        contextMax: session?.contextMax ?? null,
      }
    }
    case 'stopping':
      return { kind: 'stopping', ...about }
    case 'ended':
      return null
  }
}

/** Whether a container of it was ever made. */
const hasBegun = ({ store }: QueryParts, run: Run): boolean =>
  store.runs.listAttempts(run.id).some((attempt) => store.runs.listStarts(attempt.id).length > 0)

/** The last thing that the agent said or did, in one line. */
function lastActivity({ store }: QueryParts, run: Run): string | null {
  for (const event of store.events.listBefore(run.id, Number.MAX_SAFE_INTEGER, lookedAt).toReversed()) {
    const kind = runEventKindSchema.safeParse(event.kind)
    if (!kind.success || (kind.data !== 'tool' && kind.data !== 'text')) continue
    const payload = event.payload as {
      readonly summary?: string
      readonly text?: string
      readonly name?: string
    }
    const text = payload.summary ?? payload.text ?? payload.name ?? ''
    const line = text.split('\n', 1)[0]?.trim() ?? ''
    if (line !== '') return line.slice(0, 200)
  }
  return null
}
