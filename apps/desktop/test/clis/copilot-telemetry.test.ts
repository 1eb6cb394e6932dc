import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import type { AnsweringProxy } from '../fakes/answering-proxy'
import { startGithubForCopilot, telemetryHost } from '../fakes/github-for-copilot'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { firstPrompt } from './check'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'

/*
 * Where GitHub serves the model, Copilot CLI tells GitHub what it does. Everything that it asks for goes through a proxy
 * here: with the product's command line there is no telemetry, and without that one flag there is.
 */

const flag = '--disable-client-telemetry'
let model: ModelServer
let sandbox: CliSandbox
let github: AnsweringProxy
beforeAll(async () => {
  const cli = clisUnderTest.find(({ id }) => id === 'copilot')
  if (cli === undefined) throw new Error('copilot is not among the CLIs under test')
  const runtime = testRuntime()
  const image = await agentImageTag(runtime)
  const installed = await installedCli(cli.id, cliPackages[cli.id].version)
  model = await startModelServerForContainers(countTurns, cli.protocols)
  sandbox = await createCliSandbox({ runtime, image, cli, installed, model })
  github = await startGithubForCopilot({
    host: new URL(model.url).hostname,
    model: model.url,
    modelName: cli.model ?? '',
    folder: resolve(import.meta.dirname, '../fixtures/copilot-github'),
  })
  await copyFile(github.caFile, join(sandbox.mailbox.state, 'ca.pem'))
})
afterAll(async () => {
  github.close()
  await sandbox.remove()
  await model.close()
})

/** Which hosts were asked in a run that went well, its command line changed like this. */
async function hostsAsked(
  change: (argv: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  const before = github.asked.length
  const certificates = `${sandbox.adapter.sessionStatePath}/ca.pem`
  const start = await sandbox.start(
    { mode: 'fresh', name: sessionName, chosenId: crypto.randomUUID() },
    {
      prompt: firstPrompt,
      limitMs: 90_000,
      baseUrl: null,
      changeArgv: (argv) => [
        'env',
        `HTTPS_PROXY=${github.url}`,
        `SSL_CERT_FILE=${certificates}`,
        `NODE_EXTRA_CA_CERTS=${certificates}`,
        'COPILOT_GITHUB_TOKEN=gho_000000000000000000000000000000000000',
        ...change(argv),
      ],
    },
  )
  expect(start.hasSucceeded).toBe(true)
  return github.asked.slice(before).map((asked) => asked.split('/', 1)[0] ?? '')
}

it('copilot sends no telemetry where GitHub serves its model', { timeout: 240_000 }, async () => {
  const quiet = await hostsAsked((argv) => {
    expect(argv).toContain(flag)
    return argv
  })
  expect(quiet).toContain('api.github.com')
  expect(quiet).toContain('api.copilot.example')
  expect(quiet).not.toContain(telemetryHost)
  expect(await hostsAsked((argv) => argv.filter((word) => word !== flag))).toContain(telemetryHost)
})
