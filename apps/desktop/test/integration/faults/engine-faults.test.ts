import { chmodSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { EngineClient } from '@main/cli/engine-client'
import { moreMemory } from '@renderer/features/run/failure-words'
import type { MailboxId } from '@shared/model/ids'
import { createEngineBench, createWatch, value } from '../support/engine-bench'
import {
  createFaultBench,
  expectAftermath,
  expectNothingBegun,
  expectWholeDatabase,
  expectWords,
  fault,
} from './fault-bench'
import type { Fault } from './fault'
import { startAlfredWithoutRights } from './alfred-without-rights'
import { frameScreen, runScreen, stripScreen } from './screen'

let folder: string
let servers: Server[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-fault-'))
})
afterEach(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  servers = []
  await rm(folder, { recursive: true, force: true })
})

async function standIn(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close')
    answer(request, response)
  })
  servers.push(server)
  const path = join(folder, 'docker.sock')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return path
}

/** What the window shows of an issue that waits for the engine at this address. */
async function expectWaiting(
  client: EngineClient,
  row: Fault,
  endpoint: string,
  mailboxId: MailboxId,
): Promise<void> {
  const look = async () => {
    const status = value(await client.call('app', 'status', {}))
    const mailbox = value(await client.call('mailboxes', 'get', { mailboxId }))
    const isAway = status.banners.some(({ facts }) => facts['endpoint'] === endpoint)
    return isAway && mailbox.now?.kind === 'queued' && mailbox.now.reason === 'docker'
      ? [...frameScreen(status), ...stripScreen(mailbox)]
      : null
  }
  expectWords(row, await createWatch(client).until(look))
}

/** An engine whose Docker is at this address; later its own is given back, and the run goes on by itself. */
async function waitsAt(row: Fault, endpoint: string): Promise<void> {
  const bench = await createFaultBench()
  const setEndpoint = async (set: string | null): Promise<void> =>
    void value(
      await bench.client.call('settings', 'set', {
        scope: 'app',
        scopeId: 0,
        key: 'DOCKER_ENDPOINT',
        value: set,
      }),
    )
  try {
    await setEndpoint(endpoint)
    const mailboxId = await bench.newIssue()
    await expectWaiting(bench.client, row, endpoint, mailboxId)
    await setEndpoint(null)
    const run = await bench.latest(mailboxId)
    expect(run.row).toMatchObject({ outcome: 'succeeded', attempts: 1 })
    expectWholeDatabase(bench.folder, run.row.runId)
  } finally {
    await bench.remove()
  }
}

describe('Docker and the agent image', () => {
  fault('docker-missing', (row) => waitsAt(row, 'unix:///nonexistent/alfred.sock'))

  fault('docker-not-permitted', async (row) => {
    const socket = await standIn((_request, response) => response.end('{}'))
    chmodSync(socket, 0)
    const home = join(folder, 'home')
    const alfred = await startAlfredWithoutRights(home, socket)
    try {
      await expectWaiting(alfred.client, row, `unix://${socket}`, await alfred.newIssue())
    } finally {
      await alfred.end()
    }
    expectNothingBegun(home, ['queued'])
  })

  fault('docker-forbidden', async (row) => {
    const forbids = JSON.stringify({ message: 'authorization denied by plugin no-docker' })
    const socket = await standIn((_request, response) => response.writeHead(403).end(forbids))
    await waitsAt(row, `unix://${socket}`)
  })

  fault('docker-old', async (row) => {
    const answers = JSON.stringify({ Version: '17.06.2-ce', ApiVersion: '1.30', OSType: 'linux' })
    const socket = await standIn((_request, response) =>
      response.setHeader('content-type', 'application/json').end(answers),
    )
    await waitsAt(row, `unix://${socket}`)
  })

  fault('image-missing', async (row) => {
    const bench = await createFaultBench()
    try {
      await bench.setting('AGENT_IMAGE', 'localhost:1/alfred/none:1')
      const mailboxId = await bench.newIssue()
      const run = await bench.latest(mailboxId)
      await expectAftermath(bench, row, await bench.see(mailboxId, run))
    } finally {
      await bench.remove()
    }
  })

  fault('out-of-memory', async (row) => {
    const bench = await createEngineBench({
      adapters: [createDemoAdapter({ environment: { DEMO_PACE: '0' } })],
    })
    try {
      await bench.setting('RUN_MEMORY', 128_000_000)
      const mailboxId = await bench.newIssue('DEMO_FAULT=oom')
      const run = await bench.latest(mailboxId)
      await expectAftermath(bench, row, { mailboxId, run, screen: runScreen(run, []) })
      expect(run.failure).toMatchObject({ exitCode: 137 })
      expect(run.row).toMatchObject({ mode: 'fresh', nativeSessionId: expect.any(String) })
      await bench.setting('RUN_MEMORY', moreMemory(run))
      const retried = value(
        await bench.client.call('runs', 'retry', { runId: run.row.runId, resumeChoice: 'auto' }),
      )
      expect((await bench.ended(retried.runId)).sandbox?.memoryBytes).toBe(256_000_000)
    } finally {
      await bench.remove()
    }
  })
})
