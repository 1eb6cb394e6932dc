import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createHandMadeSessions } from '@main/adapters/session-import/hand-made-sessions'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { cliPackages } from '@main/core/agents/image-clis'
import type { ImageCli } from '@shared/model/words'
import { countTurns } from '../fakes/model-server/answers'
import type { ModelServer } from '../fakes/model-server/model-server'
import { agentImageTag, testRuntime, user } from '../integration/support/agent-container'
import { startModelServerForContainers } from '../integration/support/model-server-for-containers'
import { sayByHand } from './by-hand'
import { askedOf, expectRemembered, firstPrompt, laterPrompt, resuming } from './check'
import { createCliSandbox, type CliSandbox } from './cli-sandbox'
import { clisUnderTest } from './clis-under-test'
import { installedCli } from './install-cli'

/*
 * A session that a person made with the real CLI, in a home and a folder of their own: it is found there, copied into
 * the state of an issue, and resumed in the sandbox, where the model hears what was said before. A fork of it too.
 */

const importable: readonly ImageCli[] = ['claude-code', 'codex', 'copilot', 'grok-build', 'opencode']

const nativeBinding = findNativeBinding(process.env, undefined)
let runtime: ContainerRuntime
let image: string
let staging: string
beforeAll(async () => {
  runtime = testRuntime()
  image = await agentImageTag(runtime)
  staging = await mkdtemp(join(tmpdir(), 'alfred-staging-'))
})
afterAll(() => rm(staging, { recursive: true, force: true }))

describe.each(importable)('a session made by hand with %s', (id) => {
  const cli = clisUnderTest.find((one) => one.id === id)
  if (cli === undefined) throw new Error(`${id} is not among the CLIs under test`)
  let model: ModelServer
  let sandbox: CliSandbox
  let installed: string
  beforeAll(async () => {
    installed = await installedCli(id, cliPackages[id].version)
    model = await startModelServerForContainers(countTurns, cli.protocols)
    sandbox = await createCliSandbox({ runtime, image, cli, installed, model })
  })
  afterAll(async () => {
    await sandbox.remove()
    await model.close()
  })

  it('is found, copied, resumed and forked', { timeout: 600_000 }, async () => {
    const { adapter, mailbox } = sandbox
    const person = await sayByHand({ cli: id, installed, server: model.url, prompt: firstPrompt })
    try {
      const sessions = createHandMadeSessions({ stagingFolder: staging, nativeBinding })
      const found = await sessions.find(adapter, person.home, null)
      expect(found).toMatchObject({
        ok: true,
        value: { isCut: false, sessions: [{ workedIn: person.project }] },
      })
      const [only] = found.ok ? found.value.sessions : []
      expect(only?.title).toContain('harbour lights')
      expect(Math.abs((only?.savedAt ?? 0) - Date.now())).toBeLessThan(300_000)
      const fromId = only?.nativeId ?? ''

      const bring = async (folder: string, from: string, to: string): Promise<void> => {
        const staged = await sessions.stage({ adapter, folder, fromId: from, toId: to, user })
        if (!staged.ok) throw new Error(staged.error.message)
        expect(staged.value.recordsLeftOut).toBe(0)
        expect(staged.value.place(mailbox.state)).toBeNull()
        await staged.value.discard()
      }
      await bring(person.home, fromId, fromId)
      expect(await sandbox.look(fromId)).toMatchObject({ bytes: expect.any(Number) as number })
      model.play(countTurns)
      expectRemembered(await sandbox.start(resuming(fromId), { prompt: laterPrompt }), model)

      const isInDatabase = adapter.handMade?.kind === 'database'
      const uuid = crypto.randomUUID()
      const forkId = adapter.handMade?.kind === 'database' ? adapter.handMade.forkId(fromId, uuid) : uuid
      await bring(mailbox.state, fromId, forkId)
      const bytesBefore = (await sandbox.look(fromId)).bytes
      model.play(countTurns)
      const onFork = { prompt: 'This is said to the fork alone.' }
      expectRemembered(await sandbox.start(resuming(forkId), onFork), model)
      if (!isInDatabase) expect((await sandbox.look(fromId)).bytes).toBe(bytesBefore)

      // The session that it was made from is as it was.
      model.play(countTurns)
      expectRemembered(await sandbox.start(resuming(fromId), { prompt: laterPrompt }), model)
      expect(JSON.stringify(askedOf(model).at(-1)?.body)).not.toContain(onFork.prompt)
      expect(await readdir(staging)).toEqual([])
    } finally {
      await person.remove()
    }
  })
})
