import { z } from 'zod'
import { projectIdSchema } from '../model/ids'
import { command, query } from './define'

/*
 * The local forge as a tracker that people use: in the window and as `alfred issue`. Every change is the person's,
 * never Alfred's. Times are epoch milliseconds.
 */

const title = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(/^[^\r\n\0]*$/, 'one line')
const text = z.string().max(1_000_000)
const labelName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^,\r\n\0]*$/, 'one line without a comma')
const slug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'lower-case letters, digits and -')
const login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$/, 'letters, digits, and . _ - inside')
const iid = z.number().int().positive()

export const trackerErrorSchema = z.discriminatedUnion('type', [
  /** Somebody changed it meanwhile, or the name is taken. */
  z.object({ type: z.literal('conflict'), message: z.string() }),
  z.object({ type: z.literal('invalid'), message: z.string() }),
  z.object({ type: z.literal('not_found'), what: z.string() }),
  /** The two branches change the same lines: a person or a run resolves it on the source branch. */
  z.object({ type: z.literal('merge_conflicts'), message: z.string(), paths: z.array(z.string()) }),
  z.object({ type: z.literal('git_failed'), message: z.string() }),
  /** The disk is full, or the database or a folder cannot be written. */
  z.object({ type: z.literal('storage_failed'), message: z.string() }),
])
export type TrackerError = z.infer<typeof trackerErrorSchema>

export const trackerProjectSchema = z.object({
  id: projectIdSchema,
  organization: z.string(),
  slug: z.string(),
  defaultBranch: z.string(),
  isDemo: z.boolean(),
  isWatched: z.boolean(),
  /** What a person clones: `git clone <remotePath>`. */
  remotePath: z.string(),
  openIssues: z.number(),
  openChanges: z.number(),
})
export type TrackerProject = z.infer<typeof trackerProjectSchema>

export const trackerPersonSchema = z.object({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  isAlfred: z.boolean(),
  isYou: z.boolean(),
})
export type TrackerPerson = z.infer<typeof trackerPersonSchema>

export const trackerLabelSchema = z.object({ name: z.string(), color: z.string() })
export type TrackerLabel = z.infer<typeof trackerLabelSchema>

export const trackerIssueRowSchema = z.object({
  projectId: projectIdSchema,
  iid: z.number(),
  title: z.string(),
  isOpen: z.boolean(),
  labels: z.array(trackerLabelSchema),
  assignees: z.array(trackerPersonSchema),
  author: trackerPersonSchema,
  comments: z.number(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type TrackerIssueRow = z.infer<typeof trackerIssueRowSchema>

export const trackerCommentSchema = z.object({
  id: z.string(),
  author: trackerPersonSchema,
  body: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type TrackerComment = z.infer<typeof trackerCommentSchema>

export const trackerLabelEventSchema = z.object({
  id: z.string(),
  label: z.string(),
  action: z.enum(['added', 'removed']),
  by: trackerPersonSchema,
  at: z.number(),
})
export type TrackerLabelEvent = z.infer<typeof trackerLabelEventSchema>

export const trackerChangeRowSchema = z.object({
  projectId: projectIdSchema,
  iid: z.number(),
  title: z.string(),
  author: trackerPersonSchema,
  sourceBranch: z.string(),
  targetBranch: z.string(),
  closesIid: z.number().nullable(),
  state: z.enum(['open', 'merged', 'closed']),
  hasConflicts: z.boolean(),
  headSha: z.string().nullable(),
  mergedSha: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type TrackerChangeRow = z.infer<typeof trackerChangeRowSchema>

export const trackerIssueSchema = trackerIssueRowSchema.extend({
  body: z.string(),
  commentList: z.array(trackerCommentSchema),
  labelEvents: z.array(trackerLabelEventSchema),
  /** Changes that close this issue, newest first. */
  changes: z.array(trackerChangeRowSchema),
})
export type TrackerIssue = z.infer<typeof trackerIssueSchema>

export const trackerChangeSchema = trackerChangeRowSchema.extend({
  body: z.string(),
  baseSha: z.string().nullable(),
  /** null: unknown, see `problem`. */
  commits: z.number().nullable(),
  files: z
    .array(
      z.object({
        path: z.string(),
        oldPath: z.string().nullable(),
        status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed']),
        /** null for binary files. */
        added: z.number().nullable(),
        deleted: z.number().nullable(),
      }),
    )
    .nullable(),
  patch: z.string().nullable(),
  patchIsCut: z.boolean(),
  /** Why files and diff could not be read, in words. */
  problem: z.string().nullable(),
})
export type TrackerChange = z.infer<typeof trackerChangeSchema>

export const trackerIssuePageSchema = z.object({
  rows: z.array(trackerIssueRowSchema),
  total: z.number(),
  /** For the next page; null on the last. */
  cursor: z.string().nullable(),
})
export type TrackerIssuePage = z.infer<typeof trackerIssuePageSchema>

export const newProjectSourceSchema = z.discriminatedUnion('kind', [
  /** A repository with one commit on `main`. */
  z.object({ kind: z.literal('empty') }),
  /** All branches and tags of a repository of this computer; it is only read. */
  z.object({ kind: z.literal('import'), path: z.string().min(1).max(4_000) }),
])

const issueRef = z.object({ projectId: projectIdSchema, iid })
const change = <S extends z.ZodRawShape, O extends z.ZodType>(shape: S, output: O) =>
  command({ input: issueRef.extend(shape), output, error: trackerErrorSchema })

export const trackerContract = {
  listProjects: query({ input: z.object({}), output: z.array(trackerProjectSchema) }),
  createProject: command({
    input: z.object({
      organization: slug.default('local'),
      name: z.string().trim().min(1).max(100),
      source: newProjectSourceSchema,
    }),
    output: trackerProjectSchema,
    error: trackerErrorSchema,
  }),
  /** Removes the project, its issues, its runs and its repository, for good. */
  deleteProject: command({
    input: z.object({ projectId: projectIdSchema }),
    output: z.null(),
    error: trackerErrorSchema,
  }),

  listPeople: query({ input: z.object({}), output: z.array(trackerPersonSchema) }),
  addPerson: command({
    input: z.object({ login, name: z.string().trim().min(1).max(100) }),
    output: trackerPersonSchema,
    error: trackerErrorSchema,
  }),
  listLabels: query({ input: z.object({ projectId: projectIdSchema }), output: z.array(trackerLabelSchema) }),
  addLabelToProject: command({
    input: z.object({
      projectId: projectIdSchema,
      name: labelName,
      color: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, '#rrggbb')
        .default('#64748b'),
    }),
    output: trackerLabelSchema,
    error: trackerErrorSchema,
  }),

  /** `query` as a person types it: words, `#12`, `is:open`, `label:x`, `assignee:me`; see core/forge/search-query. */
  listIssues: query({
    input: z.object({
      projectId: projectIdSchema.nullable(),
      query: z.string().max(1_000).default(''),
      limit: z.number().int().min(1).max(200).default(50),
      cursor: z.string().max(100).nullable().default(null),
    }),
    output: trackerIssuePageSchema,
  }),
  getIssue: query({ input: issueRef, output: trackerIssueSchema }),
  createIssue: command({
    input: z.object({
      projectId: projectIdSchema,
      title,
      body: text.default(''),
      labels: z.array(labelName).max(50).default([]),
      /** Logins. */
      assignees: z.array(login).max(50).default([]),
    }),
    output: trackerIssueSchema,
    error: trackerErrorSchema,
  }),
  /** `conflict` when title or body changed after `expectedUpdatedAt`; null writes over whatever is there. */
  editIssue: change(
    {
      title: title.optional(),
      body: text.optional(),
      expectedUpdatedAt: z.number().nullable().default(null),
    },
    trackerIssueSchema,
  ),
  comment: change({ body: text.min(1) }, trackerCommentSchema),
  editComment: change(
    {
      commentId: z.string().max(20),
      body: text.min(1),
      expectedUpdatedAt: z.number().nullable().default(null),
    },
    trackerCommentSchema,
  ),
  addLabel: change({ label: labelName }, z.null()),
  removeLabel: change({ label: labelName }, z.null()),
  assign: change({ login }, z.null()),
  unassign: change({ login }, z.null()),
  close: change({}, z.null()),
  reopen: change({}, z.null()),

  listChanges: query({
    input: z.object({
      projectId: projectIdSchema,
      state: z.enum(['open', 'merged', 'closed', 'all']).default('all'),
      limit: z.number().int().min(1).max(200).default(100),
    }),
    output: z.array(trackerChangeRowSchema),
  }),
  getChange: query({
    input: issueRef.extend({ maxDiffBytes: z.number().int().min(0).max(20_000_000).default(2_000_000) }),
    output: trackerChangeSchema,
  }),
  /** `conflict` when the source branch is no longer at `expectedHeadSha`, the commit that the person looked at. */
  mergeChange: change(
    { expectedHeadSha: z.string().nullable().default(null), deleteSourceBranch: z.boolean().default(false) },
    trackerChangeRowSchema,
  ),
  closeChange: change({}, z.null()),
  /**
   * Proposes a pushed branch as the change that closes the issue; without a title it has the issue's. Error
   * `conflict`: the branch has an open change already.
   */
  openChange: change(
    {
      branch: z.string().trim().min(1).max(255),
      title: title.nullable().default(null),
    },
    trackerChangeRowSchema,
  ),
} as const
