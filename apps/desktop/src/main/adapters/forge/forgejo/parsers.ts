import { z } from 'zod'
import type { ForgePerson } from '@main/ports/forge'

/*
 * What is read of the answers, and nothing more. Empty things are null here and [] there; words of the server (states,
 * kinds of events) stay open, since newer servers have more of them.
 */

/** A deleted account, and one that the server does not name. */
const ghost: ForgePerson = { id: '-1', login: 'Ghost', name: 'Ghost' }

const userSchema = z.object({ id: z.number(), login: z.string(), full_name: z.string().nullish() })

const toPerson = (user: z.infer<typeof userSchema>): ForgePerson => ({
  id: String(user.id),
  login: user.login,
  name: user.full_name || user.login,
})

export const personSchema = userSchema.nullish().transform((user) => (user ? toPerson(user) : ghost))

/** One's own account is there, or the answer is none. */
export const accountSchema = userSchema.transform(toPerson)

/** Epoch milliseconds, in whole seconds. */
const timeSchema = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

const textSchema = z
  .string()
  .nullish()
  .transform((text) => text ?? '')

const labelSchema = z.object({ id: z.number(), name: z.string() })
export type Label = z.infer<typeof labelSchema>
export const labelsSchema = listOf(labelSchema)

/** An issue or a pull request: they share their numbers, and both are in the lists of issues. */
export const issueSchema = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  body: textSchema,
  user: personSchema,
  labels: labelsSchema,
  assignees: listOf(personSchema),
  state: z.string(),
  is_locked: z.boolean().nullish(),
  comments: z.number().nullish(),
  ref: textSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  pull_request: z.object({ merged: z.boolean().nullish() }).nullish(),
  repository: z.object({ full_name: z.string() }).nullish(),
  /** From Gitea 1.26 on: counts the writes of the body. */
  content_version: z.number().int().nullish(),
})
export type Issue = z.infer<typeof issueSchema>
export const issuesSchema = listOf(issueSchema)

export const commentSchema = z.object({
  id: z.number(),
  user: personSchema,
  body: textSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  issue_url: textSchema,
  pull_request_url: textSchema,
})
export type Comment = z.infer<typeof commentSchema>
export const commentsSchema = listOf(commentSchema)

const timelineEntrySchema = z.object({
  id: z.number(),
  type: z.string(),
  user: personSchema,
  body: textSchema,
  created_at: timeSchema,
  /** null: the label was deleted since. */
  label: labelSchema.nullish(),
  removed_assignee: z.boolean().nullish(),
  ref_issue: z
    .object({
      number: z.number(),
      pull_request: z.object({}).nullish(),
      repository: z.object({ full_name: z.string() }).nullish(),
    })
    .nullish(),
})
export type TimelineEntry = z.infer<typeof timelineEntrySchema>
/** Entries may be null: the server could not make one of them. */
export const timelineSchema = listOf(timelineEntrySchema.nullable())

export const reviewsSchema = listOf(
  z.object({
    id: z.number(),
    user: personSchema,
    /** `APPROVED`, `REQUEST_CHANGES`, `COMMENT`; also `PENDING` and `REQUEST_REVIEW`, with which nobody said anything. */
    state: z.string(),
    body: textSchema,
    dismissed: z.boolean().nullish(),
    comments_count: z.number().nullish(),
    submitted_at: timeSchema,
  }),
)
export type Review = z.infer<typeof reviewsSchema>[number]

export const reviewCommentsSchema = listOf(
  z.object({
    id: z.number(),
    user: personSchema,
    body: textSchema,
    path: textSchema,
    /** Lines of the new and the old side; 0: not on that side. */
    position: z.number().nullish(),
    original_position: z.number().nullish(),
    created_at: timeSchema,
    updated_at: timeSchema,
  }),
)
export type ReviewComment = z.infer<typeof reviewCommentsSchema>[number]

const pullEndSchema = z.object({
  /** Keeps the branch's name when `ref` has become `refs/pull/N/head`. */
  label: textSchema,
  ref: textSchema,
  sha: textSchema,
  /** -1: the fork is gone. */
  repo_id: z.number().nullish(),
})

export const pullSchema = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  body: textSchema,
  user: personSchema,
  state: z.string(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  comments: z.number().nullish(),
  head: pullEndSchema,
  base: pullEndSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
})
export type Pull = z.infer<typeof pullSchema>
export const pullsSchema = listOf(pullSchema)

export const branchSchema = z.object({
  name: z.string(),
  commit: z
    .object({ id: z.string() })
    .nullish()
    .transform((commit) => commit?.id ?? null),
})

/** One page: the latest status of each context. `state` and `total_count` are those of the page and mean nothing. */
export const statusPageSchema = z
  .object({ statuses: listOf(z.object({ id: z.number(), context: textSchema, status: textSchema })) })
  .transform(({ statuses }) => statuses)

export const createdSchema = z.object({ id: z.number() })
