import type { InstallationRow } from '@shared/contract/app'
import { formatDuration } from '@shared/format'
import { formatExactCost } from '@shared/format/costs'
import { endsSoon, leftUntil } from '@shared/login-end'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'
import { failed, jsonOption } from './on-issue'

/*
 * The agents screen without a window: which CLIs are where, whether they can resume, and how they are signed in.
 */

const imageOption = {
  type: 'string',
  value: 'IMAGE',
  about: 'Only in this image, by its tag or the start of its digest.',
} as const

export const agentsListCommand: Command = {
  name: 'agents list',
  about: 'The agent CLIs that were found, by image: versions, what can resume, and logins.',
  positionals: [],
  options: { json: jsonOption },
  needs: 'answers',
  async run(context) {
    // It notices images that are gone, whose rows are not shown any more.
    const images = await context.client.call('app', 'agentImages', {})
    if (!images.ok) return failed(images.error)
    const rows = await context.client.call('app', 'agents', {})
    if (!rows.ok) return failed(rows.error)
    print(context, rows.value)
    return ok(exitCodes.done)
  },
}

export const agentsCheckCommand: Command = {
  name: 'agents check',
  about: 'Asks every agent CLI for its version again, or the one that is named.',
  positionals: ['[ADAPTER]'],
  options: { image: imageOption, json: jsonOption },
  needs: 'answers',
  async run(context) {
    if (context.args.positionals[0] === undefined && context.args.text('image') === null) {
      const checked = await context.client.call('app', 'checkAgents', {})
      if (!checked.ok) return failed(checked.error)
      print(context, checked.value)
      return ok(exitCodes.done)
    }
    const named = await namedRows(context)
    if (!named.ok) return named
    const rows: InstallationRow[] = []
    for (const { adapter, runner, imageDigest } of named.value) {
      const checked = await context.client.call('app', 'checkInstallation', { adapter, runner, imageDigest })
      if (!checked.ok) return failed(checked.error)
      rows.push(checked.value)
    }
    print(context, rows)
    return ok(exitCodes.done)
  },
}

export const agentsAskCommand: Command = {
  name: 'agents ask',
  about: 'Asks the provider of an agent one short question with its login. It costs a few tokens.',
  positionals: ['ADAPTER'],
  options: { image: imageOption, json: jsonOption },
  needs: 'answers',
  async run(context) {
    const named = await namedRows(context)
    if (!named.ok) return named
    const row = named.value.find(({ imageDigest, version }) => imageDigest !== null && version !== null)
    if (row === undefined || row.imageDigest === null)
      return err({ type: 'failed', message: `${context.args.positionals[0] ?? ''} is in no image.` })
    const { adapter, imageDigest } = row
    const asked = await context.client.call('app', 'probeLogin', { adapter, imageDigest })
    if (!asked.ok) return failed(asked.error)
    const { outcome, message, tookMs, costUsd } = asked.value
    if (context.args.flag('json')) context.output.json(asked.value)
    else if (outcome === 'answered')
      context.output.line(
        `The login is good: the provider answered in ${formatDuration(tookMs)}, cost ${formatExactCost(costUsd)}.`,
      )
    else
      context.output.line(
        `${outcome === 'refused' ? 'The provider refuses this login' : 'It could not be found out'}: ${message ?? 'it gave no reason'}`,
      )
    return ok(outcome === 'answered' ? exitCodes.done : exitCodes.failed)
  },
}

export const agentsBuildCommand: Command = {
  name: 'agents build',
  about: 'Builds the image that agents run in, and looks which CLIs are in it.',
  positionals: ['[BASE]'],
  options: { json: jsonOption },
  details:
    'BASE is the image to build it on, in the place of AGENT_IMAGE. No project uses it until AGENT_IMAGE of one says so.',
  needs: 'answers',
  async run({ client, args, output }) {
    const [base] = args.positionals
    const built = await client.call('app', 'buildImage', base === undefined ? {} : { base })
    if (!built.ok) return failed(built.error)
    if (args.flag('json')) output.json(built.value)
    else output.line(`${built.value.tag} is there (${built.value.digest}).`)
    return ok(exitCodes.done)
  },
}

/** What the command line names: an adapter, an image, or both. */
async function namedRows({
  client,
  args,
}: CommandContext): Promise<Result<InstallationRow[], CommandFailure>> {
  const [adapter] = args.positionals
  const image = args.text('image')
  const rows = await client.call('app', 'agents', {})
  if (!rows.ok) return err({ type: 'failed', message: describeError(rows.error) })
  const named = rows.value.filter(
    (row) => (adapter === undefined || row.adapter === adapter) && (image === null || isOf(row, image)),
  )
  if (named.length > 0) return ok(named)
  const where = image === null ? 'anywhere' : `in ${image}`
  return err({
    type: 'failed',
    message: `${adapter ?? 'No agent'} was not found ${where}. "alfred agents list" shows what was.`,
  })
}

const isOf = ({ imageTag, imageDigest }: InstallationRow, image: string): boolean =>
  imageTag === image ||
  (imageDigest !== null &&
    image !== '' &&
    imageDigest.replace('sha256:', '').startsWith(image.replace('sha256:', '')))

function print({ args, output, spell }: CommandContext, rows: readonly InstallationRow[]): void {
  if (args.flag('json')) output.json(rows)
  else if (rows.length === 0)
    output.line(spell('No agent was found yet: "alfred agents check" looks for them.'))
  else output.line(table(header, rows.map(cells)))
}

const header = ['agent', 'version', 'where', 'resumable', 'verified', 'login', 'why not']

const cells = (row: InstallationRow): readonly string[] => [
  row.adapter,
  row.version ?? '-',
  row.runner === 'host' ? 'this computer' : (row.imageTag ?? row.imageDigest ?? '-'),
  row.resumable ? 'yes' : 'no',
  row.verifiedRange ?? '-',
  row.version === null ? '-' : loginCell(row),
  [row.reason, ...row.projectReasons].filter((part) => part !== null).join(' '),
]

function loginCell({ loginState, loginEndsAt }: InstallationRow): string {
  const now = Date.now()
  return loginState === 'found' && endsSoon(loginEndsAt, now)
    ? `expires in ${leftUntil(loginEndsAt, now)}`
    : loginState.replace('_', ' ')
}
