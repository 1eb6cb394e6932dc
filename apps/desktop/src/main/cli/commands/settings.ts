import { formatSetting } from '@shared/setting-units'
import type { SettingRow } from '@shared/contract/settings'
import { settingKeySchema, type SettingKey, type SettingScope } from '@shared/model/settings'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'
import { findProject } from '../references'
import { readSettingValue } from '../setting-values'

const scopeOptions = {
  project: { type: 'string', value: 'PROJECT', about: 'The value of a project.' },
  organization: { type: 'string', value: 'NAME', about: 'The value of an organization.' },
} as const

type Scope = { readonly scope: SettingScope; readonly scopeId: number }

export const settingsListCommand: Command = {
  name: 'settings list',
  about: 'What is in force, and which scope says so.',
  positionals: [],
  options: { ...scopeOptions, json: { type: 'boolean', about: 'Print as JSON.' } },
  needs: 'answers',
  async run(context) {
    const scope = await scopeOf(context)
    if (!scope.ok) return scope
    const rows = await context.client.call('settings', 'list', scope.value)
    if (!rows.ok) return err({ type: 'failed', message: describeError(rows.error) })
    if (context.args.flag('json')) context.output.json(rows.value)
    else
      context.output.line(
        table(
          ['setting', 'value', 'from', 'about'],
          rows.value.map((row) => [
            row.key,
            formatSetting(row.key, row.value),
            row.origin,
            row.problem ?? row.about,
          ]),
        ),
      )
    return ok(exitCodes.done)
  },
}

export const settingsSetCommand: Command = {
  name: 'settings set',
  about: 'Sets a value for the whole app, an organization or a project.',
  positionals: ['KEY', 'VALUE'],
  options: {
    ...scopeOptions,
    yes: {
      type: 'boolean',
      about:
        'Your consent, where a value needs it: to AGENT_RUNNER host (agents of the project run on this computer without a container), and to AGENT_CREDENTIAL_MOUNTS (login files of this computer are mounted).',
    },
  },
  details:
    'VALUE has units where the setting has them (45m, 30s, 4 GB); a bare number is milliseconds or bytes there. Lists are JSON (["a", "b"]); null unsets what may be unset.',
  needs: 'answers',
  run: (context) =>
    change(context, (key, scope) =>
      context.client.call('settings', 'set', {
        ...scope,
        key,
        value: readSettingValue(key, context.args.positionals[1] ?? ''),
        consent: context.args.flag('yes'),
      }),
    ),
}

export const settingsResetCommand: Command = {
  name: 'settings reset',
  about: 'Takes a value away, so that the next weaker scope counts.',
  positionals: ['KEY'],
  options: scopeOptions,
  needs: 'answers',
  run: (context) =>
    change(context, (key, scope) => context.client.call('settings', 'reset', { ...scope, key })),
}

async function change(
  context: CommandContext,
  apply: (key: SettingKey, scope: Scope) => Promise<Result<null, unknown>>,
): Promise<CommandResult> {
  const name = context.args.positionals[0] ?? ''
  const key = settingKeySchema.safeParse(name)
  if (!key.success)
    return err({ type: 'usage', message: `there is no setting ${name}; "alfred settings list" names them` })
  const scope = await scopeOf(context)
  if (!scope.ok) return scope
  const changed = await apply(key.data, scope.value)
  if (!changed.ok) return err({ type: 'failed', message: describeError(changed.error) })
  const rows = await context.client.call('settings', 'list', scope.value)
  if (!rows.ok) return err({ type: 'failed', message: describeError(rows.error) })
  const row = rows.value.find((candidate) => candidate.key === key.data)
  if (row)
    context.output.line(
      `${row.key} is now ${formatSetting(row.key, row.value)} (${originWords[row.origin]}).`,
    )
  return ok(exitCodes.done)
}

const originWords: Readonly<Record<SettingRow['origin'], string>> = {
  default: 'the default',
  app: 'set for the whole app',
  organization: 'set for the organization',
  project: 'set for the project',
}

async function scopeOf({ client, args }: CommandContext): Promise<Result<Scope, CommandFailure>> {
  const path = args.text('project')
  const organization = args.text('organization')
  if (path !== null && organization !== null)
    return err({ type: 'usage', message: '--project and --organization exclude each other' })
  if (path !== null) {
    const project = await findProject(client, path)
    return project.ok ? ok({ scope: 'project', scopeId: project.value.id }) : project
  }
  if (organization === null) return ok({ scope: 'app', scopeId: 0 })
  const scopes = await client.call('settings', 'scopes', {})
  if (!scopes.ok) return err({ type: 'failed', message: describeError(scopes.error) })
  const found = scopes.value.find(({ scope, name }) => scope === 'organization' && name === organization)
  return found
    ? ok({ scope: 'organization', scopeId: found.scopeId })
    : err({ type: 'failed', message: `There is no organization ${organization}.` })
}
