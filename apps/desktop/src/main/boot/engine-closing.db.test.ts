import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakeContainerRuntime } from '../../../test/fakes/fake-container-runtime'
import { unhandledDuring } from '../../../test/fakes/unhandled-rejections'
import { createDemoAdapter } from '../adapters/agents/demo/demo-adapter'
import { findNativeBinding } from '../adapters/db/native-binding'
import { createEngine, type Engine } from './compose'
import type { AroundPort } from './engine-options'

/*
 * An engine may be closed at any moment: between two acts of a run, in the middle of a question to Docker. Whatever
 * is under way then ends in peace: nothing is left that fails with nobody to take it, which would end the process.
 */

/** Each engine is closed one question to Docker later than the one before. */
const engines = 14
/** Where nothing more is asked, the engine is closed all the same. */
const quietMs = 2_000
const slowestAnswerMs = 50

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-closing-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

interface LateDocker {
  readonly runtime: object
  readonly started: readonly unknown[]
  /** When so many questions more were asked. */
  asked(times: number): Promise<void>
}

/** A Docker whose answers come late, at other moments each time. */
function lateDocker(): LateDocker {
  const runtime = createFakeContainerRuntime({
    images: ['node:24-bookworm-slim'],
    program: () => wait(20, { exitCode: 0 }),
  })
  runtime.answerOnce(() => ({
    ok: true,
    value: { exitCode: 0, stdout: 'alfred-demo-agent 1.0.0', stderr: '' },
  }))
  let questions = 0
  let onQuestion = (): void => undefined
  const late = async (call: () => unknown): Promise<unknown> => {
    questions += 1
    onQuestion()
    await wait((questions * 7) % slowestAnswerMs)
    return call()
  }
  return {
    runtime: around(runtime, late),
    started: runtime.started,
    asked: (times) => {
      const last = questions + times
      return new Promise((resolve) => {
        onQuestion = () => void (questions >= last && resolve())
      })
    },
  }
}

/** The port with something around each of its calls, also those of what it holds. */
function around<P extends object>(port: P, call: (inner: () => unknown, name: string) => unknown): P {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member === 'function')
        return (...args: readonly unknown[]) =>
          call(() => Reflect.apply(member, target, args) as unknown, String(name))
      return typeof member === 'object' && member !== null ? around(member, call) : member
    },
  })
}

async function openEngine(aroundPort: AroundPort): Promise<Engine> {
  const engine = await createEngine({
    dataFolder: folder,
    kind: 'headless',
    resourcesFolder: join(import.meta.dirname, '..', '..', '..', 'resources'),
    version: '0.0.0-test',
    notifier: { show: () => undefined },
    work: 'works',
    allowsDemonstration: true,
    adapters: [createDemoAdapter({ environment: { DEMO_PACE: '0' } })],
    nativeBinding: findNativeBinding(process.env, undefined),
    aroundPort,
  })
  if (!engine.ok) throw new Error(JSON.stringify(engine.error))
  return engine.value
}

it('an engine that is closed at any moment leaves nothing that fails with nobody to take it', async () => {
  const docker = lateDocker()
  const late: string[] = []
  const unhandled = await unhandledDuring(async () => {
    for (let life = 1; life <= engines; life += 1) {
      let isClosed = false
      const hasAsked = docker.asked(life)
      const engine = await openEngine((name, port) => {
        // The port that is asked for is this one.
        if (name === 'docker') return docker.runtime as typeof port
        if (name !== 'store') return port
        return around(port, (call, member) => {
          if (isClosed) late.push(member)
          return call()
        })
      })
      // Nobody waits for these answers, as when a window is closed.
      const calls = [engine.dispatch.invoke('demo.start', { runner: 'container', consent: true })]
      if (life % 2 === 0) calls.push(engine.dispatch.invoke('app.checkAgents', {}))
      await Promise.race([hasAsked, wait(quietMs)])
      await engine.stop(life % 3 === 0 ? 'stop' : 'keep')
      isClosed = true
      await Promise.allSettled(calls)
    }
    // Longer than any answer above takes.
    await wait(10 * slowestAnswerMs)
  })
  expect(unhandled).toEqual([])
  // All of it had left the database before that was closed; and there was work to leave.
  expect(late).toEqual([])
  expect(docker.started.length).toBeGreaterThan(0)
}, 60_000)
