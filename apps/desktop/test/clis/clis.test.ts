import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { firstPrompt, type Check, type CheckContext, type PriorSession } from './check'
import { checks } from './checks'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest, versionsOf, type CliUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'
import { matrixDocument, type MatrixRow } from './matrix'

/*
 * The contract of the session on the real CLIs. What each did is written down: ALFRED_CLI_ROWS names the file for the
 * rows; docs/cli-matrix.md is written where every CLI was run. ALFRED_CLIS names those to run, without it all are.
 */

const chosen = process.env['ALFRED_CLIS']?.split(',') ?? null
const clis = clisUnderTest.filter(({ id }) => chosen === null || chosen.includes(id))
const rows: MatrixRow[] = []
let runtime: ContainerRuntime
let image: string

beforeAll(async () => {
  runtime = testRuntime()
  image = await agentImageTag(runtime)
})

afterAll(async () => {
  const file = process.env['ALFRED_CLI_ROWS']
  if (file === undefined) return
  await writeFile(file, JSON.stringify(rows))
  if (chosen === null)
    await writeFile(join(import.meta.dirname, '../../../../docs/cli-matrix.md'), matrixDocument(rows))
})

describe.each(clis)('$id', (cli) => {
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServerForContainers(countTurns, cli.protocols)
  })
  afterAll(() => model.close())

  describe.each(versionsOf(cli))('$version', ({ version, extent }) => {
    const opened: CliSandbox[] = []
    let installed: string
    let prior: Promise<PriorSession> | null = null
    beforeAll(async () => {
      installed = await installedCli(cli.id, version)
    })
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((sandbox) => sandbox.remove()))
    })
    afterAll(async () => (await prior)?.sandbox.remove())

    const create = (): Promise<CliSandbox> => createCliSandbox({ runtime, image, cli, installed, model })
    const context: CheckContext = {
      get model() {
        return model
      },
      prior: () => (prior ??= beginSession(create, model)),
      async sandbox() {
        const sandbox = await create()
        opened.push(sandbox)
        return sandbox
      },
      kill: (id) => new Docker().getContainer(id).kill({ signal: 'SIGKILL' }),
    }
    const ofVersion = checks.filter(({ ofLowest }) => extent === 'every' || ofLowest)
    it.each(ofVersion)('$name', { timeout: 200_000 }, async (check) => {
      const row = await rowOf(cli, version, check, context)
      rows.push(row)
      expect(row).toMatchObject({ ok: true })
    })
  })
})

async function beginSession(create: () => Promise<CliSandbox>, model: ModelServer): Promise<PriorSession> {
  const sandbox = await create()
  model.play(countTurns)
  const chosenId = sandbox.adapter.choosesId ? crypto.randomUUID() : null
  const start = await sandbox.start({ mode: 'fresh', name: sessionName, chosenId }, { prompt: firstPrompt })
  const id = start.ended.sawSession
  if (id === null) throw new Error(`no session: ${start.ended.stderrTail.slice(-1000)}`)
  return { id, start, sandbox }
}

async function rowOf(
  cli: CliUnderTest,
  version: string,
  { name, capMs, run }: Check,
  context: CheckContext,
): Promise<MatrixRow> {
  const row = { adapter: cli.id, version, check: name }
  const cap = new AbortController()
  const late = sleep(capMs, null, { signal: cap.signal }).then(() => {
    throw new Error(`took longer than ${capMs / 1000} s`)
  })
  try {
    return { ...row, ok: true, note: await Promise.race([run(context), late]) }
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { ...row, ok: false, note: line }
  } finally {
    cap.abort()
    late.catch(() => {})
  }
}
