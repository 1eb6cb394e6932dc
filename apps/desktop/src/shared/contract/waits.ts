import { z } from 'zod'

/** Why a queued run does not start yet, and the time at which it is tried again where that is known. */
export const queueWaitSchema = z.object({
  reason: z.enum(['slot', 'retry_at', 'paused', 'image', 'docker', 'disk', 'budget']),
  at: z.number().nullable(),
})
export type QueueWait = z.infer<typeof queueWaitSchema>
