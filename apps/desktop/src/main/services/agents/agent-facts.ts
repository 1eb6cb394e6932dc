import type { AgentHistoryRow, AgentImageRow } from '@shared/contract/app'
import type { SessionBadge } from '@shared/contract/sessions'
import type { MailboxId } from '@shared/model/ids'
import type { AdapterId } from '@shared/model/words'
import { sessionOfRun } from '@shared/timeline/fold-attempts'
import type { AgentHistory } from '../../ports/agent-history'
import type { Disk } from '../../ports/disk'
import type { Store } from '../../ports/stores'
import type { ImageBuilder } from '../image-builder'
import { badgeOf } from '../queries/timeline-rows'
import type { DataPaths } from '../runs/data-paths'
import type { SettingReader } from '../settings/setting-values'

/*
 * What the agents screen tells beside the installations: who uses an image, and what an adapter did so far.
 */

export interface AgentFacts {
  images(): Promise<AgentImageRow[]>
  history(adapter: AdapterId): Promise<AgentHistoryRow>
}

interface Parts {
  readonly store: Store
  readonly settings: SettingReader
  readonly builder: Pick<ImageBuilder, 'find'>
  readonly past: AgentHistory
  readonly disk: Pick<Disk, 'sizeOf'>
  readonly paths: Pick<DataPaths, 'sessionState'>
  /** Images may have gone since somebody looked last. */
  readonly forgetGoneImages: () => Promise<void>
}

const lastRuns = 50
/** More is told as "more than". */
const mostIssues = 500
const mostIds = 20
/** Of one issue: a state that is larger is told as "more than". */
const mostBytes = 20_000_000_000

export function createAgentFacts(parts: Parts): AgentFacts {
  const { store, past } = parts
  return {
    async images() {
      await parts.forgetGoneImages()
      const used = await projectsByImage(parts)
      return store.images.list().map(({ digest, tag, base, sizeBytes }) => ({
        digest,
        tag,
        base,
        sizeBytes,
        projects: used === null ? null : (used.get(digest) ?? 0),
      }))
    },
    history: async (adapter) => ({
      lastRuns: countBadges(
        past.lastRuns(adapter, lastRuns).map(({ run, sessions }) => badgeOf(run, sessionOfRun(sessions))),
      ),
      sessions: await sizeOnDisk(parts, adapter),
      setAside: [...past.setAside(adapter, mostIds)],
    }),
  }
}

/** By digest, as the projects' settings are now; null when Docker does not say which images are there. */
async function projectsByImage({
  store,
  settings,
  builder,
}: Parts): Promise<ReadonlyMap<string, number> | null> {
  const bases = store.forges
    .listProjects()
    .map((project) => settings.of(project).values)
    .filter(({ AGENT_RUNNER }) => AGENT_RUNNER === 'container')
    .map(({ AGENT_IMAGE }) => AGENT_IMAGE)
  const used = new Map<string, number>()
  for (const base of new Set(bases)) {
    const image = await builder.find(base)
    if (!image.ok) return null
    if (image.value === null) continue
    const { digest } = image.value
    used.set(digest, (used.get(digest) ?? 0) + bases.filter((other) => other === base).length)
  }
  return used
}

function countBadges(badges: readonly SessionBadge[]): AgentHistoryRow['lastRuns'] {
  return [...new Set(badges)]
    .map((badge) => ({ badge, runs: badges.filter((other) => other === badge).length }))
    .toSorted((a, b) => b.runs - a.runs)
}

/** An issue whose memory was cleaned up has nothing there, and is not counted. */
async function sizeOnDisk(parts: Parts, adapter: AdapterId): Promise<AgentHistoryRow['sessions']> {
  const mailboxes = parts.past.mailboxes(adapter, mostIssues + 1)
  const sum = { bytes: 0, issues: 0, isComplete: mailboxes.length <= mostIssues }
  for (const id of mailboxes.slice(0, mostIssues)) {
    const { bytes, files, isComplete } = await parts.disk.sizeOf(stateFolder(parts, id, adapter), mostBytes)
    if (files > 0) sum.issues += 1
    sum.bytes += bytes
    sum.isComplete &&= isComplete
  }
  return sum
}

function stateFolder({ store, paths }: Parts, id: MailboxId, adapter: AdapterId): string {
  const mailbox = store.mailboxes.get(id)
  const project = store.forges.getProject(mailbox.projectId)
  const organization = store.forges.getOrganization(project.organizationId)
  return paths.sessionState({ organization, project, mailbox }, adapter)
}
