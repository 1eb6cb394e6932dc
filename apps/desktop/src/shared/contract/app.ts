import { z } from 'zod'
import { mailboxIdSchema, projectIdSchema, runIdSchema, sessionIdSchema } from '../model/ids'
import { settingAddressSchema, settingKeySchema, settingScopeSchema } from '../model/settings'
import { adapterIdSchema, resumeFailureSchema, runnerSchema } from '../model/words'
import { command, query, stream } from './define'
import { sessionBadgeSchema } from './sessions'
import { queueWaitSchema } from './waits'

export const engineBannerSchema = z.object({
  code: z.enum([
    'docker_unreachable',
    'docker_not_permitted',
    'docker_too_old',
    'disk_full',
    'database_locked',
    'database_damaged',
    'not_writable',
    'image_missing',
    'login_missing',
    'account_limit',
    'forge_unreachable',
    'forge_rate_limited',
    'forge_token',
    'forge_project',
  ]),
  severity: z.enum(['info', 'warn', 'bad']),
  /** Facts for the words: endpoint, since, counts. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
})
export type EngineBanner = z.infer<typeof engineBannerSchema>

/** Everything in the status bar and the tray. */
export const engineStatusSchema = z.object({
  running: z.number(),
  queued: z.number(),
  /** Runs that are being looked after because the computer slept. */
  checking: z.number(),
  needsYou: z.number(),
  isPaused: z.boolean(),
  docker: z.object({
    state: z.enum(['unknown', 'reachable', 'unreachable', 'not_permitted', 'too_old']),
    endpoint: z.string().nullable(),
    source: z.string().nullable(),
    version: z.string().nullable(),
    rootless: z.boolean(),
  }),
  image: z.object({
    state: z.enum(['unknown', 'missing', 'building', 'ready']),
    step: z.string().nullable(),
    fraction: z.number().nullable(),
    /** What the build does now; of a missing image why it could not be built, null when nobody tried. */
    detail: z.string().nullable(),
    tag: z.string().nullable(),
    /** Null unless it is ready. */
    sizeBytes: z.number().nullable(),
    /** Agents whose CLIs Alfred put into it; none unless it is ready. */
    agents: z.array(adapterIdSchema),
  }),
  forges: z.array(
    z.object({
      name: z.string(),
      /** As its last poll told; `refused`: it does not take the token. */
      state: z.enum(['ok', 'unreachable', 'rate_limited', 'refused']),
      nextPollAt: z.number().nullable(),
    }),
  ),
  outboxWaiting: z.number(),
  costTodayUsd: z.number(),
  costTodayUnknown: z.number(),
  /** DAY_BUDGET_USD of the app. */
  dayBudgetUsd: z.number().nullable(),
  databaseBytes: z.number(),
  version: z.string(),
  banners: z.array(engineBannerSchema),
  unreadNotifications: z.number(),
  /** Why notifications only wait in the notification centre just now; null: the desktop shows them. */
  silence: z
    .discriminatedUnion('reason', [
      z.object({ reason: z.literal('quiet_hours'), until: z.number() }),
      z.object({ reason: z.literal('no_service') }),
    ])
    .nullable(),
  runs: z.array(
    z.object({
      runId: runIdSchema,
      mailboxId: mailboxIdSchema,
      /** Of its mailbox, as its forge says it: `#128`, `!342`, `PR 342`. */
      reference: z.string(),
      phase: z.string(),
      state: z.string(),
      title: z.string(),
      /** Null unless it is queued. */
      wait: queueWaitSchema.nullable(),
    }),
  ),
})
export type EngineStatus = z.infer<typeof engineStatusSchema>

/** What changed in the store; readers ask again for what they show. */
export const changeEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mailbox'), mailboxId: mailboxIdSchema, projectId: projectIdSchema }),
  z.object({ type: z.literal('run'), runId: runIdSchema, mailboxId: mailboxIdSchema }),
  z.object({ type: z.literal('issue'), projectId: projectIdSchema, iid: z.number() }),
  z.object({ type: z.literal('projects') }),
  z.object({ type: z.literal('settings') }),
  z.object({ type: z.literal('agents') }),
  z.object({ type: z.literal('notifications') }),
])
export type ChangeEvent = z.infer<typeof changeEventSchema>

export const notificationRowSchema = z.object({
  id: z.number(),
  kind: z.string(),
  title: z.string(),
  body: z.string(),
  mailboxId: mailboxIdSchema.nullable(),
  runId: runIdSchema.nullable(),
  /** The setting that it is about. */
  setting: settingAddressSchema.nullable(),
  createdAt: z.number(),
  isRead: z.boolean(),
})

export const doctorLineSchema = z.object({
  check: z.string(),
  group: z.enum(['computer', 'forges', 'agents']),
  state: z.enum(['checking', 'passed', 'failed', 'optional', 'skipped']),
  title: z.string(),
  detail: z.string(),
  /** Exactly one fix for a failed line. */
  fix: z
    .object({
      text: z.string(),
      command: z.string().nullable(),
      action: z.enum(['build_image', 'check_again', 'open_settings', 'open_forges']).nullable(),
    })
    .nullable(),
})
export type DoctorLine = z.infer<typeof doctorLineSchema>

/** What the provider of an agent answered. `answered`: the login is good; `refused`: it is not; `failed`: nobody knows. */
export const loginAnswerSchema = z.object({
  outcome: z.enum(['answered', 'refused', 'failed']),
  /** What was said where it did not go well. */
  message: z.string().nullable(),
  tookMs: z.number(),
  costUsd: z.number().nullable(),
  askedAt: z.number(),
})
export type LoginAnswer = z.infer<typeof loginAnswerSchema>

export const loginStateSchema = z.enum(['not_needed', 'found', 'expired', 'missing', 'unknown'])

export const installationRowSchema = z.object({
  adapter: adapterIdSchema,
  runner: runnerSchema,
  imageTag: z.string().nullable(),
  imageDigest: z.string().nullable(),
  version: z.string().nullable(),
  resumable: z.boolean(),
  /** By the CLI itself, or by the settings of the app. */
  reason: z.string().nullable(),
  /** Whole sentences about projects whose own settings, or whose organization's, make it otherwise there. */
  projectReasons: z.array(z.string()),
  verifiedRange: z.string().nullable(),
  /** The line of a Dockerfile that installs a version that is verified; null where Alfred knows no such package. */
  pinLine: z.string().nullable(),
  statePath: z.string().nullable(),
  /** By the settings of the app; by those of the projects where every one that uses it has a good login of its own. */
  loginState: loginStateSchema,
  /** When it ends and a person must sign in again; null: never by itself, or its files do not say. */
  loginEndsAt: z.number().nullable(),
  /** What signs it in, a variable or a file by its name; null: nothing does, or nobody can say. */
  loginSource: z.object({ kind: z.enum(['environment', 'file']), name: z.string() }).nullable(),
  /** How many files and folders of this computer its runs get to read for that. */
  loginMounts: z.number(),
  /** What its provider said when a person had it asked last; null: nobody had. */
  loginProof: loginAnswerSchema.nullable(),
  /** Where a project that uses it has another login than the app: `harbour/pier, bay/shed and 3 more`. */
  projectLogins: z.array(
    z.object({ projects: z.string(), loginState: loginStateSchema, loginEndsAt: z.number().nullable() }),
  ),
  detectedAt: z.number(),
})
export type InstallationRow = z.infer<typeof installationRowSchema>

/** An image of agents that is there. */
export const agentImageRowSchema = z.object({
  digest: z.string(),
  tag: z.string(),
  /** What it stands on: a base image by its name, or how one was made on this computer. */
  base: z.string(),
  sizeBytes: z.number().nullable(),
  /** How many projects run in it as their settings are now; null: nobody can say while Docker does not answer. */
  projects: z.number().nullable(),
})
export type AgentImageRow = z.infer<typeof agentImageRowSchema>

/** How often each badge came of the last runs of an adapter. */
export const badgeCountSchema = z.object({ badge: sessionBadgeSchema, runs: z.number() })

/** What one adapter did so far, over all issues and images. */
export const agentHistorySchema = z.object({
  /** Of the last 50 runs that ended, the most frequent first. */
  lastRuns: z.array(badgeCountSchema),
  sessions: z.object({
    /** What the states of its sessions take on the disk, and of how many issues. */
    bytes: z.number(),
    issues: z.number(),
    /** false: there is more than was counted. */
    isComplete: z.boolean(),
  }),
  /** The latest ones first. */
  setAside: z.array(
    z.object({
      mailboxId: mailboxIdSchema,
      iid: z.number(),
      nativeSessionId: z.string(),
      reason: resumeFailureSchema,
      /** The session to choose for another try; null: none of this issue has the id any more. */
      sessionId: sessionIdSchema.nullable(),
    }),
  ),
})
export type AgentHistoryRow = z.infer<typeof agentHistorySchema>

/** An agent that could do what another one does now, and every place of the settings that names the other one. */
export const standInSchema = z.object({
  adapter: adapterIdSchema,
  places: z.array(
    z.object({
      scope: settingScopeSchema,
      scopeId: z.number(),
      key: settingKeySchema,
      /** What it says there; null: nothing, and the first agent that is installed is taken. */
      before: adapterIdSchema.nullable(),
    }),
  ),
})
export type StandIn = z.infer<typeof standInSchema>

/** The name of an image as an engine takes it. A leading dash or a blank could be read as something else. */
export const imageReferenceSchema = z
  .string()
  .trim()
  .max(300)
  .regex(/^[a-z0-9][\w.:/@-]*$/, 'That is no name of an image: write it as node:24-bookworm-slim.')

const imageErrorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('docker_unreachable'), message: z.string() }),
  z.object({ type: z.literal('build_failed'), step: z.string(), message: z.string() }),
  z.object({ type: z.literal('cancelled') }),
])

export const appContract = {
  info: query({
    input: z.object({}),
    output: z.object({
      version: z.string(),
      dataFolder: z.string(),
      platform: z.string(),
      ownerKind: z.enum(['desktop', 'headless']),
      isFirstStart: z.boolean(),
      personLogin: z.string(),
    }),
  }),
  status: query({ input: z.object({}), output: engineStatusSchema }),
  statusChanges: stream({ key: z.null(), event: engineStatusSchema }),
  changes: stream({ key: z.null(), event: z.object({ events: z.array(changeEventSchema) }) }),
  setPaused: command({ input: z.object({ isPaused: z.boolean() }), output: z.null() }),
  notifications: query({
    input: z.object({ limit: z.number().int().min(1).max(200) }),
    output: z.array(notificationRowSchema),
  }),
  markNotificationsRead: command({ input: z.object({}), output: z.null() }),
  /** A person went where the message leads. */
  openedNotification: command({ input: z.object({ id: z.number().int().min(1) }), output: z.null() }),
  doctor: query({
    input: z.object({}),
    output: z.object({ lines: z.array(doctorLineSchema), report: z.string() }),
  }),
  doctorLines: stream({ key: z.null(), event: doctorLineSchema }),
  agents: query({ input: z.object({}), output: z.array(installationRowSchema) }),
  agentImages: query({ input: z.object({}), output: z.array(agentImageRowSchema) }),
  agentHistory: query({ input: z.object({ adapter: adapterIdSchema }), output: agentHistorySchema }),
  /** For an agent whose account is used up; null: no other one is installed, signed in and able to. */
  standIn: query({ input: z.object({ adapter: adapterIdSchema }), output: standInSchema.nullable() }),
  checkAgents: command({
    input: z.object({}),
    output: z.array(installationRowSchema),
    error: imageErrorSchema,
  }),
  /** Asks one CLI for its version again; answers its row. */
  checkInstallation: command({
    input: z.object({ adapter: adapterIdSchema, runner: runnerSchema, imageDigest: z.string().nullable() }),
    output: installationRowSchema,
    error: z.discriminatedUnion('type', [
      z.object({ type: z.literal('docker_unreachable'), message: z.string() }),
      z.object({ type: z.literal('image_gone'), message: z.string() }),
    ]),
  }),
  /** Asks the provider one short question with the login of that agent, which costs tokens. */
  probeLogin: command({
    input: z.object({ adapter: adapterIdSchema, imageDigest: z.string() }),
    output: loginAnswerSchema,
    error: z.object({ type: z.literal('docker_unreachable'), message: z.string() }),
  }),
  /** Finds or builds the image for a base, and looks which CLIs are in it; without `base` that of the app. */
  buildImage: command({
    input: z.object({ base: imageReferenceSchema.optional() }),
    output: z.object({ tag: z.string(), digest: z.string() }),
    error: imageErrorSchema,
  }),
  cancelImageBuild: command({ input: z.object({}), output: z.null() }),
} as const

export const demoContract = {
  /** Makes the demo project (again) and starts it; `host` only after the person's consent. */
  start: command({
    input: z.object({ runner: runnerSchema, consent: z.boolean() }),
    output: z.object({ projectId: projectIdSchema, mailboxIds: z.array(mailboxIdSchema) }),
    error: z.discriminatedUnion('type', [
      z.object({ type: z.literal('docker_unreachable'), message: z.string() }),
      z.object({ type: z.literal('consent_needed') }),
      z.object({ type: z.literal('build_failed'), step: z.string(), message: z.string() }),
      z.object({ type: z.literal('demo_running') }),
    ]),
  }),
  remove: command({
    input: z.object({}),
    output: z.null(),
    error: z.object({ type: z.literal('demo_running') }),
  }),
} as const
