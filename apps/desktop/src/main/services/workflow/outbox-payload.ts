import { z } from 'zod'
import { markerKindSchema, statusSchema } from '@shared/model/words'

/*
 * What an outbox item holds, by its kind. The first text is what the run screen shows of it.
 */

const cause = z.string()

export const outboxPayloadSchema = z.discriminatedUnion('type', [
  /** `text` is without its marker. */
  z.object({ type: z.literal('comment'), text: z.string(), markerKind: markerKindSchema, cause }),
  /** A comment that names the change; written once that is open. */
  z.object({ type: z.literal('tell_change'), markerKind: markerKindSchema, cause }),
  z.object({ type: z.literal('status'), status: statusSchema, cause }),
  z.object({ type: z.literal('remove_label'), label: z.string(), cause }),
  z.object({ type: z.literal('description'), text: z.string(), cause }),
  /** `approvedSha`: the head that a person agreed to publish. `isGoneKnown`: the branch is made anew. */
  z.object({
    type: z.literal('push'),
    approvedSha: z.string().nullable().default(null),
    isGoneKnown: z.boolean().default(false),
    cause,
  }),
  z.object({ type: z.literal('change'), summary: z.string().nullable(), cause }),
  /** Only where it still is at `headSha`. */
  z.object({ type: z.literal('delete_branch'), branch: z.string(), headSha: z.string(), cause }),
])
export type OutboxPayload = z.infer<typeof outboxPayloadSchema>
