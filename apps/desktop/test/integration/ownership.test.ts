import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { acquireOwnership } from '@main/adapters/ownership/acquire-ownership'
import { connectToOwner } from '@main/adapters/ownership/connect-to-owner'
import { requestHandOver, takeOwnership } from '@main/adapters/ownership/hand-over'
import { type BundledScript, bundleScript } from '../fakes/bundle-script'

const source = fileURLToPath(new URL('../fixtures/scripts/own-data-folder.ts', import.meta.url))
const own = {
  kind: 'desktop',
  appVersion: '1.2.3',
  now: 9,
  nativeBinding: findNativeBinding(process.env, undefined),
} as const

let script: BundledScript
let folder: string
let place: { readonly dataFolder: string; readonly socketPath: string }
let children: ChildProcess[]

beforeAll(async () => {
  script = await bundleScript(source)
})
afterAll(() => {
  script.remove()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-own-'))
  place = { dataFolder: folder, socketPath: join(folder, 'engine.sock') }
  children = []
})
afterEach(async () => {
  for (const child of children) await kill(child)
  rmSync(folder, { recursive: true, force: true })
})

async function start(kind: string): Promise<{ readonly child: ChildProcess; readonly said: unknown }> {
  const child = spawn(process.execPath, [script.file, folder, place.socketPath, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  if (child.stdout === null) throw new Error('no standard output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, said: JSON.parse(line) }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

describe('the owner of a data folder', () => {
  it('is one process; a second one is told who that is', async () => {
    const { child } = await start('headless')
    const { said } = await start('headless')
    expect(said).toMatchObject({
      ok: false,
      error: {
        type: 'owned',
        owner: { pid: child.pid, kind: 'headless', command: 'alfred headless', startedAt: 5 },
      },
    })
  })

  it('frees it by dying, however it dies', async () => {
    const { child } = await start('headless')
    expect(acquireOwnership(folder, own).ok).toBe(false)
    await kill(child)
    const acquired = acquireOwnership(folder, own)
    expect(acquired).toMatchObject({ ok: true, value: { owner: { pid: process.pid, kind: 'desktop' } } })
    if (acquired.ok) acquired.value.release()
  })

  it('serves others over a socket that only this user may use, also where a dead owner left one', async () => {
    await kill((await start('headless')).child)
    const { child } = await start('headless')
    expect(statSync(place.socketPath).mode & 0o777).toBe(0o600)
    const connected = await connectToOwner(place.socketPath)
    if (!connected.ok) throw new Error(connected.error.message)
    const answer = await connected.value.invoke('runs.get', { id: 4 })
    expect(answer).toEqual({ ok: true, value: { channel: 'runs.get', input: { id: 4 }, pid: child.pid } })
    await connected.value.close()
  })

  it('that dies is noticed by who waits for its answer', async () => {
    const { child } = await start('stubborn')
    const connected = await connectToOwner(place.socketPath)
    if (!connected.ok) throw new Error(connected.error.message)
    child.kill('SIGSTOP')
    const answer = connected.value.invoke('runs.get', {})
    await kill(child)
    expect(await answer).toMatchObject({ ok: false, error: { type: 'owner_gone' } })
  })
})

describe('a hand-over', () => {
  it('makes the window the owner and ends the headless one', async () => {
    const { child } = await start('headless')
    const exited = once(child, 'exit')
    const taken = await takeOwnership(place, own)
    expect(taken).toMatchObject({ ok: true, value: { owner: { pid: process.pid } } })
    expect(await exited).toEqual([0, null])
    if (taken.ok) taken.value.release()
  })

  it('is refused by a window', async () => {
    const { child } = await start('desktop')
    expect(await requestHandOver(place)).toMatchObject({ ok: false, error: { type: 'hand_over_refused' } })
    expect(await takeOwnership(place, own)).toMatchObject({
      ok: false,
      error: { type: 'owned', owner: { pid: child.pid, kind: 'desktop' } },
    })
  })

  it.each(['accepts and never does it', 'does not even answer'])(
    'gives up on an owner that %s',
    async (how) => {
      const { child } = await start('stubborn')
      if (how === 'does not even answer') child.kill('SIGSTOP')
      expect(await takeOwnership(place, own, 300)).toMatchObject({
        ok: false,
        error: { type: 'hand_over_timed_out', pid: child.pid, command: 'alfred stubborn' },
      })
    },
  )

  it('needs nobody where the owner has died', async () => {
    await kill((await start('headless')).child)
    const taken = await takeOwnership(place, own)
    expect(taken.ok).toBe(true)
    if (taken.ok) taken.value.release()
  })
})
