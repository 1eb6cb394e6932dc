import type { PostFacts } from '../../core/workflow/facts'
import type { OutboxItem } from '../../ports/stores'
import { outboxPayloadSchema } from './outbox-payload'

/** What decisions know of an item of the outbox. */
export function toPost(item: OutboxItem): PostFacts {
  const { kind, state, runId, remoteId, postedSha256, sentAt } = item
  const parsed = outboxPayloadSchema.safeParse(item.payload)
  const payload = parsed.success ? parsed.data : null
  const markerKind = payload !== null && 'markerKind' in payload ? payload.markerKind : null
  return { kind, state, runId, remoteId, postedSha256, sentAt, markerKind, cause: payload?.cause ?? item.key }
}
