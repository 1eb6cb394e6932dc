import { z } from 'zod'
import { forgeIdSchema, projectIdSchema } from '../model/ids'
import { command, query } from './define'

/*
 * Other forges than the local one: connecting, and what is connected. A `token` goes in and never comes out; it is
 * taken from the window only, since no secret crosses `engine.sock`.
 */

/** Why it cannot be done; the message is for people. */
export const forgeProblemSchema = z.object({
  type: z.enum([
    'address',
    'certificate_file',
    'unreachable',
    'certificate',
    'not_a_forge',
    'unsupported',
    'token_missing',
    'token_refused',
    'token_weak',
    'other_account',
    'forbidden',
    'rate_limited',
    'connected_already',
    'no_keyring',
    'no_safe_place',
    'project_unfit',
    'run_live',
    'unexpected_answer',
  ]),
  message: z.string(),
})
export type ForgeProblem = z.infer<typeof forgeProblemSchema>

/** What Alfred needs a token for, weakest first; each is one scope of the forge. The last two it can do without. */
export const tokenNeedSchema = z.enum([
  'account',
  'read_issues',
  'write_issues',
  'read_code',
  'write_code',
  'private_projects',
  'organization_labels',
])
export type TokenNeed = z.infer<typeof tokenNeedSchema>

export const tokenGrantSchema = z.object({
  need: tokenNeedSchema,
  /** As the forge calls it. */
  scope: z.string(),
  /** `unknown`: the forge gave no answer that tells. */
  state: z.enum(['works', 'missing', 'unknown']),
})
export type TokenGrant = z.infer<typeof tokenGrantSchema>

export const connectableKindSchema = z.enum(['gitea', 'forgejo'])
export type ConnectableKind = z.infer<typeof connectableKindSchema>

/** Labels that a project has, compared with those that Alfred works with. */
export const labelReportSchema = z.object({
  missing: z.array(z.string()),
  /** Names that more than one label has: setting one sets all of them. */
  twins: z.array(z.object({ name: z.string(), count: z.number() })),
  /** Labels that differ from one of Alfred's in case or spaces only: the forge takes them for others. */
  misspelt: z.array(z.object({ name: z.string(), meant: z.string() })),
})
export type LabelReport = z.infer<typeof labelReportSchema>

export const connectedForgeSchema = z.object({
  forgeId: forgeIdSchema,
  kind: connectableKindSchema,
  name: z.string(),
  baseUrl: z.string(),
  caFile: z.string().nullable(),
  accountLogin: z.string(),
  /** Variable of the environment that goes before what is stored. */
  environmentName: z.string(),
  hasToken: z.boolean(),
  projects: z.array(
    z.object({
      projectId: projectIdSchema,
      /** `owner/name`, as the forge spells it. */
      path: z.string(),
      isWatched: z.boolean(),
    }),
  ),
})
export type ConnectedForge = z.infer<typeof connectedForgeSchema>

const line = z.string().min(1).max(2_000)
/** Printable, as a header can hold it; spaces around a pasted one are no part of it. */
const token = z.string().trim().min(1).max(1_000)

const address = z.object({
  /** As pasted. */
  url: line,
  caFile: line.nullable(),
})
const access = address.extend({
  /** null: the one in the environment or in the store. */
  token: token.nullable(),
})
/** A forge that is connected, or one that may be. */
const target = z.union([z.object({ forgeId: forgeIdSchema }), access])
const keeping = {
  /** Whether the token may lie in a file that only this user can read, where there is no keyring. */
  mayKeepInFile: z.boolean(),
}

export const forgesContract = {
  list: query({ input: z.object({}), output: z.array(connectedForgeSchema) }),
  /** Which server answers there. */
  identify: command({
    input: target,
    output: z.object({
      baseUrl: z.string(),
      name: z.string(),
      kind: connectableKindSchema,
      version: z.string(),
      /** The forge's clock minus this computer's; null: it does not say. */
      clockDifferenceMs: z.number().nullable(),
      isEncrypted: z.boolean(),
      isConnected: z.boolean(),
      environmentName: z.string(),
    }),
    error: forgeProblemSchema,
  }),
  checkToken: command({
    input: target,
    output: z.object({
      /** null: the token may not say whose it is. */
      account: z.object({ login: z.string(), name: z.string() }).nullable(),
      grants: z.array(tokenGrantSchema),
    }),
    error: forgeProblemSchema,
  }),
  /** Projects that the account may write, by name. */
  projects: command({
    input: z.object({ target, search: z.string().max(200), limit: z.number().int().min(1).max(200) }),
    output: z.object({
      projects: z.array(
        z.object({
          path: z.string(),
          isPrivate: z.boolean(),
          /** Nothing was pushed yet. */
          isEmpty: z.boolean(),
          isWatched: z.boolean(),
        }),
      ),
      /** Of all that match, whether shown or not. */
      total: z.number(),
      /** False: the account has more than were read. */
      isWhole: z.boolean(),
    }),
    error: forgeProblemSchema,
  }),
  add: command({
    input: access.extend({ projects: z.array(line).max(500), ...keeping }),
    output: connectedForgeSchema,
    error: forgeProblemSchema,
  }),
  /** Ends the connection and removes what Alfred has of its projects; nothing changes on the forge. */
  remove: command({
    input: z.object({ forgeId: forgeIdSchema }),
    output: z.null(),
    error: forgeProblemSchema,
  }),
  /** Another token of the same account, or another CA file; both are tried before they count. */
  change: command({
    input: z.object({
      forgeId: forgeIdSchema,
      /** null: the one that is kept. */
      token: token.nullable(),
      caFile: line.nullable(),
      ...keeping,
    }),
    output: connectedForgeSchema,
    error: forgeProblemSchema,
  }),
  watch: command({
    input: z.object({ forgeId: forgeIdSchema, path: line }),
    output: connectedForgeSchema,
    error: forgeProblemSchema,
  }),
  /** Its issues are not read any more; what was done on them stays. */
  unwatch: command({
    input: z.object({ projectId: projectIdSchema }),
    output: z.null(),
    error: forgeProblemSchema,
  }),
  /** Does not wait for the next poll. */
  pollNow: command({
    input: z.object({ forgeId: forgeIdSchema }),
    output: z.null(),
    error: forgeProblemSchema,
  }),
  labels: command({
    input: z.object({ forgeId: forgeIdSchema, path: line }),
    output: labelReportSchema,
    error: forgeProblemSchema,
  }),
  /** Makes the missing ones; changes and removes none. */
  makeLabels: command({
    input: z.object({ forgeId: forgeIdSchema, path: line }),
    output: z.object({ made: z.array(z.string()), labels: labelReportSchema }),
    error: forgeProblemSchema,
  }),
} as const
