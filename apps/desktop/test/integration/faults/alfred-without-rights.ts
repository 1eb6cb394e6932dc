import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectToOwner } from '@main/adapters/ownership/connect-to-owner'
import { socketPath, systemSocketPlaces } from '@main/adapters/ownership/socket-path'
import { createEngineClient, type EngineClient } from '@main/cli/engine-client'
import type { MailboxId } from '@shared/model/ids'
import { buildAlfred } from '../support/alfred-process'
import { createWatch, value } from '../support/engine-bench'

const appFolder = resolve(import.meta.dirname, '../../..')

/** Root may open what nobody may; without these capabilities it is refused like everybody. */
const likeEverybody = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
]

export interface AlfredWithoutRights {
  readonly client: EngineClient
  /** An issue assigned to Alfred in a new project; its mailbox. */
  newIssue(): Promise<MailboxId>
  end(): Promise<void>
}

/** `alfred watch` as a process that the rights of files hold for, with its Docker at this socket. */
export async function startAlfredWithoutRights(home: string, docker: string): Promise<AlfredWithoutRights> {
  const program = [process.execPath, await buildAlfred(), 'watch']
  const [command = '', ...argv] = process.getuid?.() === 0 ? [...likeEverybody, ...program] : program
  const child = spawn(command, argv, {
    env: {
      ...process.env,
      ALFRED_HOME: home,
      ALFRED_APP_DIR: appFolder,
      ALFRED_ALLOW_DEMONSTRATION: '1',
      DOCKER_HOST: `unix://${docker}`,
    },
    stdio: 'ignore',
  })
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const client = await connect(home, () => child.exitCode)
  return { client, newIssue: () => newIssue(client), end }
}

async function connect(home: string, exitCode: () => number | null): Promise<EngineClient> {
  const path = socketPath(home, systemSocketPlaces())
  for (;;) {
    const connection = await connectToOwner(path)
    if (connection.ok) return createEngineClient(connection.value)
    if (exitCode() !== null) throw new Error(`alfred watch ended with ${exitCode()}`)
    // Nothing tells that the socket is there but the socket.
    await wait(20)
  }
}

async function newIssue(client: EngineClient): Promise<MailboxId> {
  const project = value(
    await client.call('tracker', 'createProject', {
      organization: 'test',
      name: 'boat',
      source: { kind: 'empty' },
    }),
  )
  value(
    await client.call('settings', 'set', {
      scope: 'project',
      scopeId: project.id,
      key: 'AGENT_ADAPTER',
      value: 'demo',
    }),
  )
  const issue = value(
    await client.call('tracker', 'createIssue', {
      projectId: project.id,
      title: 'Add a slug helper',
      body: '',
      assignees: ['alfred'],
    }),
  )
  const found = await createWatch(client).until(async () =>
    value(await client.call('mailboxes', 'find', { projectPath: 'test/boat', iid: issue.iid })),
  )
  return found.mailboxId
}
