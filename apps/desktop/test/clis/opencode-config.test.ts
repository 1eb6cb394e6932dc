import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { firstPrompt, laterPrompt, resuming } from './check'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'

/*
 * OpenCode reads settings of the repository, too. Asked what is in force, it tells those of the run: it shares nothing,
 * and clears nothing of what tools said in a session, which it would do once that is a lot.
 */

let model: ModelServer
let sandbox: CliSandbox
beforeAll(async () => {
  const cli = clisUnderTest.find(({ id }) => id === 'opencode')
  if (cli === undefined) throw new Error('opencode is not among the CLIs under test')
  const runtime = testRuntime()
  const image = await agentImageTag(runtime)
  const installed = await installedCli(cli.id, cliPackages[cli.id].version)
  model = await startModelServerForContainers(countTurns, cli.protocols)
  sandbox = await createCliSandbox({ runtime, image, cli, installed, model })
})
afterAll(async () => {
  await sandbox.remove()
  await model.close()
})

it(
  'the settings of a run of opencode count more than those of the repository',
  { timeout: 200_000 },
  async () => {
    const begun = await sandbox.start(
      { mode: 'fresh', name: sessionName, chosenId: null },
      { prompt: firstPrompt, limitMs: 90_000 },
    )
    const { workspace } = sandbox.mailbox
    const file = join(workspace, 'opencode.json')
    const ofRepository = {
      autoupdate: true,
      share: 'auto',
      snapshot: true,
      compaction: { prune: true },
      username: 'repository',
    }
    await writeFile(file, JSON.stringify(ofRepository))
    execFileSync('chown', ['--reference', workspace, file])
    const asked = await sandbox.start(resuming(begun.ended.sawSession ?? ''), {
      prompt: laterPrompt,
      limitMs: 90_000,
      changeArgv: () => ['opencode', 'debug', 'config'],
    })
    expect(JSON.parse(asked.ended.stdoutTail)).toMatchObject({
      autoupdate: false,
      share: 'disabled',
      snapshot: false,
      compaction: { prune: false },
      // It was read.
      username: 'repository',
    })
  },
)
