import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { firstPrompt, type CheckContext, type PriorSession } from './check'
import { checks } from './checks'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest, versionsOf, type CliUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'
import { cutOffMs, outcomeOf, type Outcome } from './outcome-of'

/*
 * The contract of the session on one real CLI, a file of tests for each of them: so two of them run at a time, since
 * most of the time is spent waiting. What each did is written down in the folder that ALFRED_CLI_ROWS names.
 */

/** What one check came to. */
interface MatrixRow extends Outcome {
  readonly adapter: CliUnderTest['id']
  readonly version: string
  readonly check: string
}

export function describeCli(id: CliUnderTest['id']): void {
  const cli = clisUnderTest.find((one) => one.id === id)
  if (cli === undefined) throw new Error(`${id} is not among the CLIs under test`)
  const rows: MatrixRow[] = []
  let runtime: ContainerRuntime
  let image: string
  let model: ModelServer

  beforeAll(async () => {
    runtime = testRuntime()
    image = await agentImageTag(runtime)
    model = await startModelServerForContainers(countTurns, cli.protocols)
  })
  afterAll(async () => {
    await model.close()
    const folder = process.env['ALFRED_CLI_ROWS']
    if (folder !== undefined) await writeFile(join(folder, `${id}.json`), JSON.stringify(rows))
  })

  describe.each(versionsOf(cli))(`${id} $version`, ({ version, extent, ways }) => {
    const opened: CliSandbox[] = []
    let installed: string
    let prior: Promise<PriorSession> | null = null
    beforeAll(async () => {
      installed = await installedCli(cli.id, version)
    })
    afterAll(async () => {
      const begun = await prior?.catch(() => null)
      await begun?.sandbox.remove()
    })

    const create = (): Promise<CliSandbox> => createCliSandbox({ runtime, image, cli, installed, model })
    const context: CheckContext = {
      ways,
      key: cli.key.value,
      get model() {
        return model
      },
      prior: () => (prior ??= beginSession(create, model)),
      async sandbox() {
        const sandbox = await create()
        opened.push(sandbox)
        return sandbox
      },
      kill: (container) => new Docker().getContainer(container).kill({ signal: 'SIGKILL' }),
    }
    const release = async (): Promise<void> => {
      await Promise.all(opened.splice(0).map((sandbox) => sandbox.remove()))
    }
    const ofVersion = checks.filter(({ ofLowest }) => extent === 'every' || ofLowest)
    it.each(ofVersion)('$name', { timeout: cutOffMs }, async (check) => {
      const row = { adapter: id, version, check: check.name, ...(await outcomeOf(check, context, release)) }
      // a check that is repeated stands once in the matrix, as it went in the end
      const before = rows.findIndex((one) => one.version === version && one.check === check.name)
      rows.splice(before === -1 ? rows.length : before, 1, row)
      expect(row).toMatchObject({ ok: true })
    })
  })
}

async function beginSession(create: () => Promise<CliSandbox>, model: ModelServer): Promise<PriorSession> {
  const sandbox = await create()
  model.play(countTurns)
  const chosenId = sandbox.adapter.choosesId ? crypto.randomUUID() : null
  const start = await sandbox.start(
    { mode: 'fresh', name: sessionName, chosenId },
    { prompt: firstPrompt, limitMs: 90_000 },
  )
  const id = start.ended.sawSession
  if (id === null) throw new Error(`no session: ${start.ended.stderrTail.slice(-1000)}`)
  return { id, start, sandbox }
}
