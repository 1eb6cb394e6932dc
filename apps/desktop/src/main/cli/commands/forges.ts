import { resolve } from 'node:path'
import type { OutputOf } from '@shared/contract/define'
import type { ConnectedForge, forgesContract } from '@shared/contract/forges'
import {
  clockWords,
  forgeKindNames,
  grantWords,
  isComplete,
  labelSentences,
  grantWhy,
} from '@shared/forge-words'
import { err, ok, type Result } from '@shared/result'
import type { Command, CommandContext, CommandResult } from '../command'
import { describeError, exitCodes, type CommandFailure } from '../failures'
import { table } from '../output'

const failed = (error: unknown) => err<CommandFailure>({ type: 'failed', message: describeError(error) })

export const forgeListCommand: Command = {
  name: 'forge list',
  about: 'The Gitea and Forgejo servers that are connected, and their projects.',
  positionals: [],
  options: { json: { type: 'boolean', about: 'Print as JSON.' } },
  needs: 'answers',
  async run({ client, args, output, spell }) {
    const forges = await client.call('forges', 'list', {})
    if (!forges.ok) return failed(forges.error)
    if (args.flag('json')) output.json(forges.value)
    else if (forges.value.length === 0)
      output.line(spell('No forge is connected: "alfred forge add --url URL --token-env NAME" connects one.'))
    else output.line(table(['forge', 'kind', 'account', 'token', 'projects'], forges.value.map(listRow)))
    return ok(exitCodes.done)
  },
}

const listRow = ({ name, kind, accountLogin, hasToken, projects }: ConnectedForge): string[] => [
  name,
  forgeKindNames[kind],
  accountLogin,
  hasToken ? 'found' : 'missing',
  projects.map(({ path, isWatched }) => (isWatched ? path : `${path} (not watched)`)).join(', ') || 'none',
]

export const forgeAddCommand: Command = {
  name: 'forge add',
  about: 'Connects a Gitea or Forgejo server; for a connected one, adds projects, a new token or CA file.',
  positionals: [],
  options: {
    url: { type: 'string', value: 'URL', about: 'Its address, with the path it lies below, if any.' },
    'token-env': {
      type: 'string',
      value: 'NAME',
      about: 'The variable of the environment with the token of the account that Alfred works as.',
    },
    ca: { type: 'string', value: 'FILE', about: 'Certificates to trust beside the usual ones (PEM).' },
    project: {
      type: 'string',
      value: 'OWNER/NAME',
      about:
        'A project to work on; may be given more than once. Without one, those are listed that may be written.',
      multiple: true,
    },
    'make-labels': { type: 'boolean', about: 'Make the labels that the projects lack.' },
    'keep-in-file': {
      type: 'boolean',
      about: 'Keep the token in a file that only your user can read, where there is no keyring.',
    },
    json: {
      type: 'boolean',
      about: 'Print the connected forge as JSON, `writable` with what may be written.',
    },
  },
  details:
    'The token needs the scopes read:user, write:issue and write:repository, and read:organization to use labels of the organization. It is kept in the system keyring; without one it stays in the environment, in ALFRED_TOKEN_ and the name of the host (ALFRED_TOKEN_GIT_EXAMPLE_ORG), or goes into a file with --keep-in-file.',
  needs: 'answers',
  async run(context) {
    const { args, output } = context
    const url = args.text('url')
    if (url === null) return err({ type: 'usage', message: '--url is missing' })
    const token = readToken(context)
    if (!token.ok) return token
    const ca = args.text('ca')
    const address = { url, caFile: ca === null ? null : resolve(ca) }
    const looked = await lookAround(context, { ...address, token: token.value })
    if (!looked.ok) return looked
    const connected = await connect(context, { ...address, token: token.value }, looked.value)
    if (!connected.ok) return connected
    const areLabelsMade = await lookAtLabels(context, connected.value)
    const writable = args.texts('project').length === 0 ? await listWritable(context, connected.value) : null
    if (args.flag('json')) output.json({ ...connected.value, writable })
    else {
      output.line(connectedWords(context, connected.value))
      if (writable !== null) output.line(writableWords(connected.value, writable))
    }
    return ok(areLabelsMade ? exitCodes.done : exitCodes.failed)
  },
}

type Writable = OutputOf<typeof forgesContract.projects>

/** As many as the engine gives at once; a person searches for more in the window. */
const mostListed = 200

/** What could be given with `--project`; null: the forge did not tell, which undoes no connection. */
async function listWritable(
  { client, output }: CommandContext,
  { forgeId, name }: ConnectedForge,
): Promise<Writable | null> {
  const listed = await client.call('forges', 'projects', {
    target: { forgeId },
    search: '',
    limit: mostListed,
  })
  if (listed.ok) return listed.value
  output.progress(
    `${name} is connected, but its projects could not be listed: ${describeError(listed.error)} Name one with --project OWNER/NAME, or run this again later.`,
  )
  return null
}

function writableWords({ accountLogin }: ConnectedForge, { projects, total, isWhole }: Writable): string {
  if (projects.length === 0)
    return `${accountLogin} may write no project there yet: give it write access to one.`
  const rest = total - projects.length
  const more = isWhole ? `and ${rest} more` : 'and more'
  return [
    `Projects that ${accountLogin} may write:`,
    ...projects.map(({ path, isWatched }) => `  ${path}${isWatched ? ' (watched)' : ''}`),
    ...(rest > 0 || !isWhole ? [`  ${more}`] : []),
  ].join('\n')
}

interface Access {
  readonly url: string
  readonly caFile: string | null
  readonly token: string | null
}

/** null: the engine looks where it keeps tokens, and in its own environment. */
function readToken({ client, args, readVariable }: CommandContext): Result<string | null, CommandFailure> {
  const name = args.text('token-env')
  if (name === null || !client.takesSecrets) return ok(null)
  const value = readVariable(name)
  return value === null ? err({ type: 'failed', message: `${name} is not set, or empty.` }) : ok(value)
}

/** What the server is and what the token can do, line by line; the name of the forge if it is connected already. */
async function lookAround(
  context: CommandContext,
  access: Access,
): Promise<Result<{ readonly connected: ConnectedForge | null }, CommandFailure>> {
  const { client, output } = context
  const found = await client.call('forges', 'identify', access)
  if (!found.ok) return failed(found.error)
  const { name, kind, version, clockDifferenceMs, isEncrypted, isConnected } = found.value
  output.progress(`${name} is ${forgeKindNames[kind]} ${version}.`)
  const clock = clockWords(clockDifferenceMs)
  if (clock !== null) output.progress(`Its clock is ${clock}; Alfred goes by the forge's clock.`)
  if (!isEncrypted) output.progress('The connection is not encrypted: the token can be read on the way.')
  const token = await client.call('forges', 'checkToken', access)
  if (!token.ok)
    return token.error.type === 'token_missing' && !client.takesSecrets
      ? noTokenCrosses()
      : failedToAdd(token.error)
  for (const grant of token.value.grants) {
    const { scope, state } = grant
    output.progress(`  ${scope.padEnd(17)} ${grantWords[state].padEnd(9)} ${grantWhy(grant)}`)
  }
  const forges = isConnected ? await client.call('forges', 'list', {}) : ok([])
  if (!forges.ok) return failed(forges.error)
  return ok({ connected: forges.value.find((forge) => forge.name === name) ?? null })
}

/** Which option helps, where one does. */
const optionFor: Readonly<Record<string, string>> = {
  no_keyring: '--keep-in-file keeps it in the file.',
  token_missing: '--token-env NAME takes it from a variable of your environment.',
  token_refused:
    'Look whether it was copied whole, and whether it is still valid there; --token-env names it.',
}

const failedToAdd = (error: { readonly type: string }) =>
  err<CommandFailure>({
    type: 'failed',
    message: [describeError(error), optionFor[error.type]].filter((part) => part !== undefined).join(' '),
  })

const noTokenCrosses = () =>
  err<CommandFailure>({
    type: 'failed',
    message:
      'Alfred is running, and no token crosses its socket. Quit it and run this again, or connect the forge in its window.',
  })

async function connect(
  { client, args }: CommandContext,
  access: Access,
  { connected }: { readonly connected: ConnectedForge | null },
): Promise<Result<ConnectedForge, CommandFailure>> {
  const projects = [...args.texts('project')]
  const mayKeepInFile = args.flag('keep-in-file')
  if (connected === null) {
    const added = await client.call('forges', 'add', { ...access, projects, mayKeepInFile })
    return added.ok ? added : failedToAdd(added.error)
  }
  const { forgeId } = connected
  if (access.token !== null || access.caFile !== null) {
    const caFile = access.caFile ?? connected.caFile
    const change = { forgeId, token: access.token, caFile, mayKeepInFile }
    const changed = await client.call('forges', 'change', change)
    if (!changed.ok) return failedToAdd(changed.error)
  }
  for (const path of projects) {
    const watched = await client.call('forges', 'watch', { forgeId, path })
    if (!watched.ok) return failed(watched.error)
  }
  const forges = await client.call('forges', 'list', {})
  if (!forges.ok) return failed(forges.error)
  const forge = forges.value.find((other) => other.forgeId === forgeId)
  return forge === undefined ? failed({ type: 'not_found', what: 'such forge' }) : ok(forge)
}

/**
 * Of the projects named: what is missing or in the way, and what was made. The forge is connected by now, whatever is
 * answered; false: labels that were to be made were not.
 */
async function lookAtLabels(
  { client, args, output }: CommandContext,
  { forgeId, name, projects }: ConnectedForge,
): Promise<boolean> {
  const named = new Set(args.texts('project').map((path) => path.toLowerCase()))
  let areMade = true
  for (const { path } of projects.filter((project) => named.has(project.path.toLowerCase()))) {
    const made = args.flag('make-labels')
      ? await client.call('forges', 'makeLabels', { forgeId, path })
      : ok({ made: [], labels: null })
    if (!made.ok) {
      areMade = false
      output.progress(
        `${name} is connected, but labels of ${path} could not be made: ${describeError(made.error)} Run this again to make those that are missing.`,
      )
      continue
    }
    if (made.value.made.length > 0) output.progress(`${path}: ${made.value.made.length} labels made.`)
    const labels =
      made.value.labels === null
        ? await client.call('forges', 'labels', { forgeId, path })
        : ok(made.value.labels)
    if (!labels.ok) {
      output.progress(
        `${name} is connected, but the labels of ${path} could not be read: ${describeError(labels.error)} "alfred doctor" looks again.`,
      )
      continue
    }
    for (const sentence of labelSentences(labels.value)) output.progress(`${path}: ${sentence}`)
    if (!isComplete(labels.value) && !args.flag('make-labels') && labels.value.missing.length > 0)
      output.progress(`${path}: --make-labels makes those that are missing.`)
  }
  return areMade
}

function connectedWords({ spell }: CommandContext, { name, accountLogin, projects }: ConnectedForge): string {
  const watched = projects.filter(({ isWatched }) => isWatched).map(({ path }) => path)
  return watched.length === 0
    ? spell(
        `${name} is connected as ${accountLogin}. No project of it is watched yet: add them with "alfred forge add --url URL --project OWNER/NAME".`,
      )
    : `${name} is connected as ${accountLogin}. Alfred works on ${watched.join(', ')}: assign an issue to ${accountLogin} there.`
}

export const forgeRemoveCommand: Command = {
  name: 'forge remove',
  about: 'Ends the connection and removes what Alfred has of its projects; nothing changes on the forge.',
  positionals: ['FORGE'],
  options: { yes: { type: 'boolean', about: 'Yes, for good.' } },
  needs: 'answers',
  async run({ client, args, output }): Promise<CommandResult> {
    const wanted = args.positionals[0] ?? ''
    const forges = await client.call('forges', 'list', {})
    if (!forges.ok) return failed(forges.error)
    const forge = forges.value.find(({ name, baseUrl }) => name === wanted || baseUrl === wanted)
    if (forge === undefined) return err({ type: 'failed', message: `No forge ${wanted} is connected.` })
    if (!args.flag('yes'))
      return err({
        type: 'failed',
        message: `This removes ${forge.name} with the runs and memories of ${forge.projects.length} ${forge.projects.length === 1 ? 'project' : 'projects'} for good. Add --yes if you mean it.`,
      })
    const removed = await client.call('forges', 'remove', { forgeId: forge.forgeId })
    if (!removed.ok) return failed(removed.error)
    output.line(`${forge.name} is removed.`)
    return ok(exitCodes.done)
  },
}
