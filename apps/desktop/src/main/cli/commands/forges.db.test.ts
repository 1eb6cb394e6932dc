import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { forgesContract } from '@shared/contract/forges'
import { err, ok } from '@shared/result'
import { createSecrets, environmentName } from '@main/adapters/secrets/create-secrets'
import { createSecretsFile } from '@main/adapters/secrets/secrets-file'
import { createDispatch } from '@main/ipc/dispatch'
import { createForgeHandlers } from '@main/ipc/forge-handlers'
import type { Logger } from '@main/ports/logger'
import { createChangeFeed } from '@main/services/status/change-feed'
import { createForgesService } from '@main/services/forges/forges-service'
import { connectable, createFakeForgeConnector } from '../../../../test/fakes/fake-forge-connector'
import { openTestStore, type TestStore } from '../../../../test/fakes/open-test-store'
import { createSettableClock } from '../../../../test/fakes/settable-clock'
import { createOutput } from '../output'
import { runCommandLine } from '../run-command-line'
import { forgeAddCommand, forgeListCommand, forgeRemoveCommand } from './forges'

const quiet: Logger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => quiet,
}

let opened: TestStore
let connector: ReturnType<typeof createFakeForgeConnector>
let sent: string
/** Whether the person agreed to keep tokens in a file at an earlier time. */
let mayUseFile: boolean
beforeEach(() => {
  mayUseFile = true
  opened = openTestStore()
  connector = createFakeForgeConnector()
  connector.projects.push(connectable('acme/shop'), connectable('acme/till'))
  sent = ''
})
afterEach(() => opened.remove())

/** A command line and what it leaves: exit code, results, progress and errors. */
async function alfred(words: readonly string[], isOwnProcess = true) {
  const clock = createSettableClock(100)
  const secretsFile = createSecretsFile(join(opened.folder, 'secrets.json'))
  const service = createForgesService({
    store: opened.store,
    clock,
    connector,
    secrets: createSecrets({ env: {}, keyring: null, file: secretsFile, mayUseFile: () => mayUseFile }),
    changes: createChangeFeed(clock),
    environmentName,
    removeData: () => Promise.resolve(),
    onProjectsChanged: () => undefined,
    pollNow: () => undefined,
  })
  const dispatch = createDispatch(
    { forges: forgesContract },
    { forges: createForgeHandlers(service) },
    {
      logger: quiet,
      newIncidentId: () => 'incident',
      checkOutput: true,
    },
  )
  let [stdout, stderr] = ['', '']
  const code = await runCommandLine({
    words,
    program: 'alfred',
    output: createOutput(
      (text) => (stdout += text),
      (text) => (stderr += text),
    ),
    version: '1',
    signal: new AbortController().signal,
    readInput: () => Promise.resolve(''),
    readVariable: (name) => ({ BOT_TOKEN: 'good', BAD_TOKEN: 'bad' })[name] ?? null,
    connect: () =>
      Promise.resolve(
        ok({
          isOwnProcess,
          invoke: (channel: string, input: unknown) => {
            sent += JSON.stringify(input)
            return dispatch.invoke(channel, input)
          },
          subscribe: () => Promise.reject(new Error('nothing is followed')),
          close: () => Promise.resolve(),
        }),
      ),
    restore: () => Promise.reject(new Error('nothing is restored')),
    commands: [forgeListCommand, forgeAddCommand, forgeRemoveCommand],
  })
  return { code, stdout, stderr }
}

const add = ['forge', 'add', '--url', 'http://git.example.org', '--token-env', 'BOT_TOKEN']

it('connects a forge, says what it is and what the token can do, and makes labels when asked', async () => {
  connector.identity = { kind: 'forgejo', version: '11.0.15', clockDifferenceMs: -300_000 }
  const added = await alfred([...add, '--project', 'acme/shop'])
  expect(added.stderr).toContain('git.example.org is Forgejo 11.0.15.')
  expect(added.stderr).toContain('5 min behind this computer')
  expect(added.stderr).toContain('not encrypted')
  expect(added.stderr).toContain('write:issue       works')
  expect(added.stderr).toContain('acme/shop: 17 labels are missing.')
  expect(added).toMatchObject({
    code: 0,
    stdout:
      'git.example.org is connected as bot-2. Alfred works on acme/shop: assign an issue to bot-2 there.\n',
  })
  const again = await alfred([...add, '--project', 'acme/till', '--make-labels'])
  expect(again.stderr).toContain('acme/till: 17 labels made.')
  expect(again.code).toBe(0)
  const listed = await alfred(['forge', 'list'])
  expect(listed.stdout).toContain('git.example.org  Forgejo  bot-2    found  acme/shop, acme/till')
  expect(added.stdout + added.stderr + again.stdout + again.stderr + listed.stdout).not.toContain('good')
})

it('lists what may be written where no project is named, for people and for programs', async () => {
  connector.projects.push(connectable('acme/old', { mayWrite: false, unfitBecause: 'is archived' }))
  const bare = await alfred(add)
  expect(bare.code).toBe(0)
  expect(bare.stdout).toContain('No project of it is watched yet')
  expect(bare.stdout).toContain('Projects that bot-2 may write:\n  acme/shop\n  acme/till\n')
  const named = await alfred([...add, '--project', 'acme/till', '--json'])
  expect(JSON.parse(named.stdout)).toMatchObject({ account_login: 'bot-2', writable: null })
  const listed = await alfred([...add, '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({
    writable: {
      projects: [
        { path: 'acme/shop', is_watched: false },
        { path: 'acme/till', is_watched: true },
      ],
      total: 2,
      is_whole: true,
    },
  })
  expect((await alfred(add)).stdout).toContain('  acme/till (watched)\n')
  connector.projects.length = 0
  expect((await alfred(add)).stdout).toContain('bot-2 may write no project there yet')
})

it('says that a forge is connected where only its projects or labels could not be read, and what to do', async () => {
  const down = { type: 'unreachable', message: 'The forge is not available now (500).' } as const
  const { listProjects, listLabels } = connector
  connector.listProjects = () => Promise.resolve(err(down))
  const added = await alfred(add)
  expect(added.code).toBe(0)
  expect(added.stdout).toContain('git.example.org is connected as bot-2. No project of it is watched yet')
  expect(added.stderr).toContain(
    'git.example.org is connected, but its projects could not be listed: The forge is not available now (500). Name one with --project OWNER/NAME, or run this again later.',
  )
  expect(JSON.parse((await alfred([...add, '--json'])).stdout)).toMatchObject({
    name: 'git.example.org',
    writable: null,
  })
  connector.listProjects = listProjects
  connector.listLabels = () => Promise.resolve(err(down))
  const watched = await alfred([...add, '--project', 'acme/shop'])
  expect(watched).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Alfred works on acme/shop') as string,
  })
  expect(watched.stderr).toContain('is connected, but the labels of acme/shop could not be read: The forge')
  // Making them was asked for, and was not done.
  const unmade = await alfred([...add, '--project', 'acme/shop', '--make-labels'])
  expect(unmade).toMatchObject({ code: 1, stdout: watched.stdout })
  expect(unmade.stderr).toContain('Run this again to make those that are missing.')
  connector.listLabels = listLabels
  expect((await alfred([...add, '--project', 'acme/shop', '--make-labels'])).code).toBe(0)
})

it('names the option that helps where there is no keyring, no token, or a wrong one', async () => {
  const url = ['forge', 'add', '--url', 'http://git.example.org']
  const tokenless = await alfred(url)
  expect(tokenless.code).toBe(1)
  expect(tokenless.stderr).toContain('--token-env NAME takes it from a variable of your environment.\n')
  const refused = await alfred([...url, '--token-env', 'BAD_TOKEN'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('does not accept this token. Look whether it was copied whole')
  mayUseFile = false
  const keyless = await alfred(add)
  expect(keyless.code).toBe(1)
  expect(keyless.stderr).toMatch(/No system keyring was found\. .* --keep-in-file keeps it in the file\.\n$/)
})

it('never sends a token to an engine of another process, and says how to go on', async () => {
  const refused = await alfred([...add, '--project', 'acme/shop'], false)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Alfred is running, and no token crosses its socket.')
  expect(sent).not.toContain('good')
})

it('says in words what is wrong with the command line, the token and the project', async () => {
  expect(await alfred(['forge', 'add'])).toMatchObject({ code: 2 })
  const unset = await alfred(['forge', 'add', '--url', 'https://git.example.org', '--token-env', 'NOTHING'])
  expect(unset).toMatchObject({ code: 1, stderr: 'alfred: NOTHING is not set, or empty.\n' })
  connector.tokens.set('good', { id: '2', lacks: ['write_code'] })
  const weak = await alfred(add)
  expect(weak.code).toBe(1)
  expect(weak.stderr).toContain(
    'alfred: The token for git.example.org lacks write:repository, to push branches and open pull requests.',
  )
  connector.tokens.set('good', { id: '2' })
  const none = await alfred([...add, '--project', 'acme/nothing'])
  expect(none.stderr).toContain('alfred: acme/nothing is not there.')
  expect((await alfred(['forge', 'list', '--json'])).stdout).toBe('[]\n')
})

it('removes a forge once the person means it', async () => {
  await alfred([...add, '--project', 'acme/shop'])
  expect((await alfred(['forge', 'remove', 'git.example.org'])).stderr).toContain('Add --yes if you mean it.')
  expect(await alfred(['forge', 'remove', 'git.example.org', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'git.example.org is removed.\n',
  })
  expect((await alfred(['forge', 'remove', 'git.example.org', '--yes'])).code).toBe(1)
})
