import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { passOn, startAnsweringProxy, type AnsweringProxy } from '../fakes/answering-proxy'
import type { ModelServer } from '../fakes/model-server/model-server'
import { sendJson } from '../fakes/model-server/protocol'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { firstPrompt } from './check'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'

/*
 * Where Anthropic serves the model, Claude Code tells its maker what it does. Everything that it asks for goes through a
 * proxy here: as the product starts it, there is no telemetry, and without that one variable there is.
 */

const variable = 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'
const modelPath = '/v1/messages'
let model: ModelServer
let sandbox: CliSandbox
let anthropic: AnsweringProxy
beforeAll(async () => {
  const cli = clisUnderTest.find(({ id }) => id === 'claude-code')
  if (cli === undefined) throw new Error('claude-code is not among the CLIs under test')
  const runtime = testRuntime()
  const image = await agentImageTag(runtime)
  const installed = await installedCli(cli.id, cliPackages[cli.id].version)
  model = await startModelServerForContainers(undefined, cli.protocols)
  sandbox = await createCliSandbox({ runtime, image, cli, installed, model })
  anthropic = await startAnsweringProxy({
    host: new URL(model.url).hostname,
    folder: resolve(import.meta.dirname, '../fixtures/anthropic-tls'),
    answer: (path, incoming, response) => {
      if (path === modelPath) return passOn(model.url, path, incoming, response)
      incoming.resume()
      sendJson(response, 404, {})
    },
  })
  await copyFile(anthropic.caFile, join(sandbox.mailbox.state, 'ca.pem'))
})
afterAll(async () => {
  anthropic.close()
  await sandbox.remove()
  await model.close()
})

/** What was asked in a run that went well, beside the model: paths, and hosts to which a way was asked. */
async function askedBeside(...more: readonly string[]): Promise<readonly string[]> {
  const [asked, hosts] = [anthropic.asked.length, anthropic.hosts.length]
  const start = await sandbox.start(
    { mode: 'fresh', name: sessionName, chosenId: crypto.randomUUID() },
    {
      prompt: firstPrompt,
      limitMs: 90_000,
      baseUrl: null,
      changeArgv: (argv) => [
        'env',
        ...more,
        `HTTPS_PROXY=${anthropic.url}`,
        `NODE_EXTRA_CA_CERTS=${sandbox.adapter.sessionStatePath}/ca.pem`,
        'ANTHROPIC_API_KEY=sk-ant-api03-for-the-scripted-model',
        ...argv,
      ],
    },
  )
  expect(start.hasSucceeded).toBe(true)
  const inRun = anthropic.asked.slice(asked)
  expect(inRun).toContain(`api.anthropic.com${modelPath}`)
  return [...inRun, ...anthropic.hosts.slice(hosts)].filter(
    (one) => ![`api.anthropic.com${modelPath}`, 'api.anthropic.com'].includes(one),
  )
}

/** What the administrator of an account lets its CLI do: no telemetry, and obeyed. */
const policy = [
  'api.anthropic.com/api/claude_code/settings',
  'api.anthropic.com/api/claude_code/policy_limits',
]
const telemetry = 'api.anthropic.com/api/event_logging/v2/batch'

it('claude-code sends no telemetry where Anthropic serves its model', { timeout: 240_000 }, async () => {
  const quiet = await askedBeside()
  expect(quiet.filter((one) => !policy.includes(one))).toEqual([])
  expect(await askedBeside('-u', variable)).toContain(telemetry)
})
