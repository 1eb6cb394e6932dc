import { z } from 'zod'
import { adapterIdSchema, imageCliSchema, runnerSchema } from './words'

/*
 * Every setting that is used so far, with its default. Scopes: app < organization < project;
 * the app value replaces the built-in default. Times are milliseconds, sizes bytes.
 */

export const settingScopeSchema = z.enum(['app', 'organization', 'project'])
export type SettingScope = z.infer<typeof settingScopeSchema>

const minutes = (n: number): number => n * 60_000
const gigabytes = (n: number): number => n * 1_000_000_000

const globList = z.array(z.string().min(1)).max(100)
const branchPrefix = z
  .string()
  .max(60)
  .regex(
    /^(?:[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\/)*(?:[A-Za-z0-9][A-Za-z0-9_-]*)?$/,
    'letters, digits, - and _, parts ended by /',
  )
const personName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^<>\r\n\0]+$/, 'one line without < and >')

/** How a value is written, and with what it is edited. */
export const settingTypeSchema = z.enum([
  'switch',
  'duration',
  'size',
  'number',
  'text',
  'adapter',
  'runner',
  'list',
])
export type SettingType = z.infer<typeof settingTypeSchema>

const entry = <S extends z.ZodType>(
  type: SettingType,
  label: string,
  schema: S,
  fallback: z.infer<S>,
  about: string,
  options: { appOnly?: true } = {},
) => ({ type, label, schema, fallback, about, appOnly: options.appOnly === true })

/** Phases that Alfred begins runs of; a chat or a terminal goes on with what a session was begun with. */
export const agentPhases = [
  'analysis',
  'development',
  'ci_fix',
  'review_fix',
  'conflict_resolution',
  'answer',
] as const
export type AgentPhase = (typeof agentPhases)[number]
export type PhaseKey<K extends string> = `${K}_${Uppercase<AgentPhase>}`

const phaseLabels: Readonly<Record<AgentPhase, string>> = {
  analysis: 'Analysis',
  development: 'Development',
  ci_fix: 'CI fix',
  review_fix: 'Review fix',
  conflict_resolution: 'Conflict resolution',
  answer: 'Answer',
}

/** The same setting once more for each phase; unset, the one for all phases counts. */
const perPhase = <K extends string, S extends z.ZodType>(
  key: K,
  type: SettingType,
  what: string,
  schema: S,
): Readonly<Record<PhaseKey<K>, ReturnType<typeof entry<z.ZodNullable<S>>>>> => {
  const entries = agentPhases.map((phase) => {
    const label = phaseLabels[phase]
    const about = `Only for the phase ${label.toLowerCase().replace('ci', 'CI')}; unset: ${key}.`
    return [`${key}_${phase.toUpperCase()}`, entry(type, `${label} ${what}`, schema.nullable(), null, about)]
  })
  return Object.fromEntries(entries) as Record<PhaseKey<K>, ReturnType<typeof entry<z.ZodNullable<S>>>>
}

/** What a person is told of by the desktop; each kind can be switched off. */
export const toldKinds = [
  'run-finished',
  'run-finished-fallback',
  'needs-you',
  'blocked',
  'interrupted',
  'login-expiring',
  'budget',
] as const
export type ToldKind = (typeof toldKinds)[number]
type WithUnderscores<S extends string> = S extends `${infer A}-${infer B}` ? `${A}_${WithUnderscores<B>}` : S
export type NotifyKey<K extends ToldKind = ToldKind> = `NOTIFY_${Uppercase<WithUnderscores<K>>}`

/** The switch of a kind. */
export const notifyKey = (kind: ToldKind): NotifyKey =>
  `NOTIFY_${kind.replaceAll('-', '_').toUpperCase()}` as NotifyKey

const notify = (label: string, what: string) =>
  entry(
    'switch',
    label,
    z.boolean(),
    true,
    `The desktop tells ${what}. Off: it only waits in the notification centre.`,
    { appOnly: true },
  )

const notifyDefinitions: Readonly<Record<NotifyKey, ReturnType<typeof notify>>> = {
  NOTIFY_RUN_FINISHED: notify('Runs that are done', 'when a run is done'),
  NOTIFY_RUN_FINISHED_FALLBACK: notify(
    'Runs done without memory',
    'when a run is done and could not remember what it should have',
  ),
  NOTIFY_NEEDS_YOU: notify('What waits for you', 'when a plan, questions or a push wait for you'),
  NOTIFY_BLOCKED: notify('Blocked issues', 'when a run failed and its issue is blocked'),
  NOTIFY_INTERRUPTED: notify('Interrupted runs', 'when runs are interrupted and go on by themselves'),
  NOTIFY_LOGIN_EXPIRING: notify('Logins that expire', 'before the login of an agent ends'),
  NOTIFY_BUDGET: notify('Budgets nearly used', 'when most of the budget of a day is used'),
}

const modelName = z.string().min(1).max(200)
const dollars = z.number().min(0.01).max(100_000)

export const settingDefinitions = {
  AGENT_SESSION_RESUME: entry(
    'switch',
    'Resume sessions',

    z.boolean(),
    true,
    'Name every session after the issue branch and resume it on the next run.',
  ),
  BRANCH_PREFIX: entry(
    'text',
    'Branch prefix',
    branchPrefix,
    'agent/',
    'What the names of branches and sessions begin with.',
  ),
  AGENT_ADAPTER: entry(
    'adapter',
    'Default agent',

    adapterIdSchema.nullable(),
    null,
    'The agent CLI of every phase that names none itself; unset: the first one that is installed.',
  ),
  ...perPhase('AGENT_ADAPTER', 'adapter', 'agent', adapterIdSchema),
  AGENT_MODEL: entry(
    'text',
    'Model',
    modelName.nullable(),
    null,
    "The model of every phase that names none itself; unset: the CLI's own.",
  ),
  ...perPhase('AGENT_MODEL', 'text', 'model', modelName),
  AGENT_PROVIDER: entry(
    'text',
    'Provider',
    modelName.nullable(),
    null,
    "Who serves the model; unset: the CLI's own.",
  ),
  ...perPhase('AGENT_PROVIDER', 'text', 'provider', modelName),
  AGENT_BASE_URL: entry(
    'text',
    'Address of the model',

    z
      .string()
      .max(500)
      .regex(/^https?:\/\/[^\s@]+$/, 'http://… or https://…, without a name or password')
      .nullable(),
    null,
    "Address of the model's server; unset: the provider's own.",
  ),
  AGENT_RUNNER: entry(
    'runner',
    'Runner',
    runnerSchema,
    'container',
    'Where a run executes; on this computer itself (host) only for a project, after your consent.',
  ),
  AGENT_IMAGE: entry(
    'text',
    'Base image',

    z.string().min(1).max(300).nullable(),
    null,
    'The base image that agents work in; unset: the one that Alfred builds.',
  ),
  AGENT_IMAGE_CLIS: entry(
    'list',
    'CLIs in the image',

    z.array(imageCliSchema).max(imageCliSchema.options.length),
    [],
    'Agent CLIs that Alfred installs into the images that it builds.',
    { appOnly: true },
  ),
  AGENT_CREDENTIAL_MOUNTS: entry(
    'list',
    'Credential mounts',

    z.array(z.string().regex(/^[a-z-]+=\/[^:\0]*:\/[^:\0]*$/, 'adapter=/host/path:/container/path')),
    [],
    'Login files mounted read-only, as adapter=host:container, after your consent. If it is your own login, a refresh inside a run can sign you out on this computer.',
  ),
  AGENT_CREDENTIAL_ENV: entry(
    'list',
    'Credentials as environment',

    z.array(z.string().regex(/^[a-z-]+=[A-Z_][A-Z0-9_]{0,99}$/, 'adapter=NAME_OF_A_VARIABLE')).max(50),
    [],
    'Environment variables that sign an agent in, as adapter=NAME. The value is the secret of that name, never part of the setting.',
  ),
  AGENT_TRIGGER_LABEL: entry(
    'text',
    'Trigger label',

    z.string().min(1).max(100).nullable(),
    null,
    'Issues with this label are taken up as if assigned.',
  ),
  TRUSTED_PEOPLE: entry(
    'list',
    'Trusted people',

    z.array(z.string().min(1)).max(1000),
    [],
    'User ids on the forge whose texts are followed.',
  ),
  RUN_TIMEOUT: entry(
    'duration',
    'Run time limit',

    z
      .number()
      .int()
      .min(10_000)
      .max(minutes(24 * 60)),
    minutes(45),
    'Time limit of a run.',
  ),
  TERMINAL_LIMIT: entry(
    'duration',
    'Terminal time limit',
    z
      .number()
      .int()
      .min(10_000)
      .max(minutes(7 * 24 * 60)),
    minutes(8 * 60),
    'A terminal that is still open after this long is stopped; its work and memory are kept.',
  ),
  TERMINAL_COMMAND: entry(
    'text',
    'Terminal program',
    z
      .string()
      .max(500)
      .regex(/^[^\0\r\n]*(?:^|\s)\{command\}(?:\s|$)[^\0\r\n]*$/, 'with {command} as a word of its own')
      .nullable(),
    null,
    'What opens a terminal, with {command} where its command goes, as in: kitty -- {command}. Unset: the first one that is found.',
    { appOnly: true },
  ),
  RUN_MEMORY: entry(
    'size',
    'Memory limit',
    z.number().int().min(64_000_000),
    gigabytes(4),
    'Memory limit of a run.',
  ),
  RUN_CPUS: entry('number', 'Processor limit', z.number().min(0.1).max(256), 2, 'Processor limit of a run.'),
  RUN_PIDS: entry(
    'number',
    'Process limit',
    z.number().int().min(16).max(100_000),
    512,
    'Process limit of a run.',
  ),
  RUN_DISK: entry(
    'size',
    'Disk limit',

    z.number().int().min(10_000_000),
    gigabytes(20),
    'Disk limit of a run: workspace, results, session state.',
  ),
  RUN_BUDGET_USD: entry(
    'number',
    'Budget of a run',
    dollars.nullable(),
    null,
    'A run that is known to have cost this much is ended, with its work kept; unset: none.',
  ),
  DAY_BUDGET_USD: entry(
    'number',
    'Budget of a day',
    dollars.nullable(),
    null,
    'Once this much is spent in a day by the runs of the scope that says so, new runs wait; unset: none.',
  ),
  PUSH_NEEDS_PERSON: entry(
    'list',
    'Paths that need a person',

    globList,
    ['.github/**', '.gitea/**', '.forgejo/**', '.gitlab-ci.yml', '.woodpecker*'],
    'Commits that touch these paths wait for a person before they are pushed.',
  ),
  POLL_INTERVAL: entry(
    'duration',
    'Poll interval',
    z.number().int().min(1_000).max(minutes(60)),
    30_000,
    'How often the forge is asked.',
  ),
  REQUIRE_PLAN_VALIDATION: entry(
    'switch',
    'Require plan validation',
    z.boolean(),
    true,
    'A person validates the plan before development.',
  ),
  MAX_LLM_RETRIES: entry(
    'number',
    'Repeats after provider errors',
    z.number().int().min(0).max(20),
    2,
    'Automatic repeats after a provider error.',
  ),
  CLEANUP_AFTER_DAYS: entry(
    'number',
    'Keep memory after the end',

    z.number().int().min(0).max(3650),
    14,
    'Days after merge or close until workspace and memory are removed.',
  ),
  GIT_AUTHOR_NAME: entry(
    'text',
    'Author name',

    personName.nullable(),
    null,
    "Author of the agent's commits; unset: the bot account.",
  ),
  GIT_AUTHOR_EMAIL: entry(
    'text',
    'Author e-mail',
    personName.nullable(),
    null,
    "E-mail of that author; unset: the bot account's.",
  ),
  QUIET_HOURS: entry(
    'text',
    'Quiet hours',
    z
      .string()
      .regex(
        /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/,
        'from and to as two times of the day, as in 22:00-07:00',
      )
      .nullable(),
    null,
    'From when to when the desktop tells nothing, as in 22:00-07:00; what happened meanwhile is told afterwards as one. Unset: none.',
    { appOnly: true },
  ),
  ...notifyDefinitions,
  START_AT_LOGIN: entry(
    'switch',
    'Start at login',
    z.boolean(),
    false,
    'Alfred starts when you sign in to this computer, in the tray where there is one.',
    { appOnly: true },
  ),
  MAX_RUNS: entry(
    'number',
    'Runs at once',
    z.number().int().min(1).max(64),
    2,
    'How many runs work at once.',
    { appOnly: true },
  ),
  DOCKER_ENDPOINT: entry(
    'text',
    'Docker endpoint',

    z.string().min(1).max(500).nullable(),
    null,
    'Where the Docker engine is; unset: found by itself.',
    { appOnly: true },
  ),
} as const

export type SettingKey = keyof typeof settingDefinitions
export const settingKeySchema = z.enum(Object.keys(settingDefinitions) as [SettingKey, ...SettingKey[]])
export type SettingValues = {
  readonly [K in SettingKey]: z.infer<(typeof settingDefinitions)[K]['schema']>
}

/** A value as it lies in the store, for one scope. */
export interface StoredSetting {
  readonly scope: SettingScope
  /** 0 for `app`. */
  readonly scopeId: number
  readonly key: string
  /** Parsed JSON, not yet checked against the setting's schema. */
  readonly value: unknown
  /** When a person agreed to what the value means; null: nobody was asked. */
  readonly agreedAt: number | null
}

/** One setting as one scope says it; `scopeId` is 0 for the app. */
export const settingAddressSchema = z.object({
  key: settingKeySchema,
  scope: settingScopeSchema,
  scopeId: z.number().int().min(0),
})
export type SettingAddress = z.infer<typeof settingAddressSchema>
