import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { askedOf, expectFreshAfter, expectRemembered, firstPrompt, laterPrompt, resuming } from './check'
import { createCliSandbox, sessionName, type CliSandbox } from './cli-sandbox'
import { clisUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'

/*
 * Its name is its label, by which the CLI itself finds it. And AGENT_BASE_URL is set or taken away between two runs: Codex
 * keeps with a session which model's server it is of, and goes on with it at no other: a run then begins anew, and what was
 * said never reaches the other server.
 */

describe('a session of codex', () => {
  const cli = clisUnderTest.find(({ id }) => id === 'codex')
  if (cli === undefined) throw new Error('codex is not among the CLIs under test')
  const fresh = { mode: 'fresh', name: sessionName, chosenId: null } as const
  let runtime: ContainerRuntime
  let model: ModelServer
  let sandbox: CliSandbox
  beforeAll(async () => {
    runtime = testRuntime()
    const image = await agentImageTag(runtime)
    const installed = await installedCli(cli.id, cliPackages[cli.id].version)
    model = await startModelServerForContainers(countTurns, cli.protocols)
    sandbox = await createCliSandbox({ runtime, image, cli, installed, model })
  })
  afterAll(async () => {
    await sandbox.remove()
    await model.close()
  })

  it('has the name of the issue as its label', { timeout: 300_000 }, async () => {
    model.play(countTurns)
    const begun = await sandbox.start(fresh, { prompt: firstPrompt })
    const id = begun.ended.sawSession ?? ''
    // Asked for by its name, as no run does: the CLI knows it, and begins another one for a name that it does not know.
    const askedBy = (name: string) =>
      sandbox.start(resuming(id), {
        prompt: laterPrompt,
        changeArgv: (argv) => argv.map((word) => (word === id ? name : word)),
      })
    expectRemembered(await askedBy(sessionName), model)
    expect(await askedBy(`${sessionName}-2`)).toMatchObject({ proof: 'other' })
  })

  it('is refused at once where its server is not named any more', { timeout: 300_000 }, async () => {
    model.play(countTurns)
    const begun = await sandbox.start(fresh, { prompt: firstPrompt })
    const id = begun.ended.sawSession ?? ''
    const gone = await sandbox.start(resuming(id), { prompt: laterPrompt, baseUrl: null })
    expect(gone).toMatchObject({ resumeFailure: 'refused', proof: 'none', providerFailure: null })
  })

  it(
    'is refused at once where a server was named, and a fresh one begins there',
    {
      timeout: 300_000,
    },
    async () => {
      const before = new Set(await rollouts(sandbox))
      // Nobody answers there; that it began is all that is needed.
      let begun = (): void => undefined
      const isBegun = new Promise<void>((resolve) => (begun = resolve))
      const first = await sandbox.start(fresh, {
        prompt: firstPrompt,
        baseUrl: null,
        limitFrom: isBegun,
        limitMs: 1,
        async whileRunning() {
          while ((await rollouts(sandbox)).every((name) => before.has(name))) await sleep(100)
          begun()
        },
      })
      model.play(countTurns)
      const refused = await sandbox.start(resuming(first.ended.sawSession ?? ''), { prompt: laterPrompt })
      expect(refused).toMatchObject({ resumeFailure: 'refused', proof: 'none', providerFailure: null })
      expect(askedOf(model)).toEqual([])
      await expectFreshAfter(sandbox, refused)
      expect(JSON.stringify(askedOf(model).at(-1)?.body)).not.toContain(firstPrompt)
    },
  )
})

/** Files of sessions that hold something. */
async function rollouts({ mailbox, look }: CliSandbox): Promise<readonly string[]> {
  const names = await readdir(mailbox.state, { recursive: true })
  const found: string[] = []
  for (const name of names) {
    const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(name)?.[1]
    if (id !== undefined && (await look(id)).preflight === 'ok') found.push(name)
  }
  return found
}
