import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHostRuntime } from '@main/adapters/host-runner/host-runtime'
import { createSystemClock } from '@main/adapters/system/system-clock'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'
import { createEngineBench, removeFolder, value } from './support/engine-bench'

/*
 * The host runner: processes that outlive the app, behind the port of the container engine.
 */

let folder: string
let runtime: ContainerRuntime
const open = (): ContainerRuntime =>
  createHostRuntime({ clock: createSystemClock(), folder, toolsFolder: join(folder, 'tools') })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-host-'))
  runtime = open()
})
afterEach(async () => {
  await runtime.remove('run-1')
  await removeFolder(folder)
})

function spec(script: string): ContainerSpec {
  const place = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  writeFileSync(join(folder, 'entry'), script)
  const mounts = [
    ['/workspace', place('workspace')],
    ['/alfred/repo.git', place('repo.git')],
    ['/alfred/in', place('in')],
    ['/alfred/out', place('out')],
    ['/alfred/entry', join(folder, 'entry')],
  ] as const
  return {
    name: 'run-1',
    image: '',
    argv: ['/bin/sh', '/alfred/entry', 'word'],
    environment: { GIVEN: '/alfred/in' },
    workingDirectory: '/workspace',
    user: { uid: 0, gid: 0 },
    mounts: mounts.map(([target, source]) => ({
      kind: 'bind',
      source,
      target,
      readOnly: false,
      purpose: '',
    })),
    limits: { memoryBytes: 1, cpus: 1, pids: 1 },
    network: 'bridge',
    labels: { run: 'r1' },
  }
}
const wait = async () => value(await runtime.wait('run-1', new AbortController().signal))

/** A signal that comes before the script began would not be its to hear. */
async function untilThere(name: string): Promise<void> {
  while (!existsSync(join(folder, 'out', name))) await pause(10)
}

describe('a host run', () => {
  it('works in the places that a container would see, with an empty home and nothing of our environment', async () => {
    process.env['ALFRED_TOKEN_PROBE'] = 'hunter2'
    value(
      await runtime.start(
        spec(
          'env > "$ALFRED_OUT_FOLDER/env"; pwd > "$ALFRED_OUT_FOLDER/pwd"; echo "$1" >> "$ALFRED_OUT_FOLDER/pwd"; exit 7',
        ),
      ),
    )
    expect(await wait()).toMatchObject({ running: false, exitCode: 7, labels: { run: 'r1' } })
    const environment = readFileSync(join(folder, 'out', 'env'), 'utf8')
    expect(environment).toContain(`GIVEN=${join(folder, 'in')}\n`)
    expect(environment).not.toContain('hunter2')
    expect(environment).toContain(`HOME=${folder}`)
    expect(readFileSync(join(folder, 'out', 'pwd'), 'utf8')).toBe(`${join(folder, 'workspace')}\nword\n`)
    delete process.env['ALFRED_TOKEN_PROBE']
  })

  it('is found again by another engine, and is not started twice', async () => {
    const once = spec('echo x >> "$ALFRED_OUT_FOLDER/starts"; sleep 1; exit 3')
    value(await runtime.start(once))
    runtime = open()
    expect(value(await runtime.start(once)).running).toBe(true)
    expect(value(await runtime.listByLabel('run', 'r1')).map(({ name }) => name)).toEqual(['run-1'])
    expect(await wait()).toMatchObject({ exitCode: 3 })
    expect(readFileSync(join(folder, 'out', 'starts'), 'utf8')).toBe('x\n')
  })

  it('hears TERM and tells its own exit code; one that does not hear it is killed with all its children', async () => {
    value(await runtime.start(spec('trap "exit 5" TERM; touch "$ALFRED_OUT_FOLDER/hears"; sleep 600 & wait')))
    await untilThere('hears')
    value(await runtime.stop('run-1', 5_000))
    expect(await wait()).toMatchObject({ exitCode: 5 })
    await runtime.remove('run-1')
    value(
      await runtime.start(spec('trap "" TERM; touch "$ALFRED_OUT_FOLDER/deaf"; while :; do sleep 0.1; done')),
    )
    await untilThere('deaf')
    value(await runtime.stop('run-1', 300))
    expect(await wait()).toMatchObject({ running: false, exitCode: 137 })
  })

  it('leaves nothing behind once it is removed', async () => {
    value(await runtime.start(spec('exit 0')))
    await wait()
    await runtime.remove('run-1')
    expect(await runtime.inspect('run-1')).toMatchObject({ error: { type: 'not_found' } })
    expect(existsSync(join(folder, 'runs', 'run-1'))).toBe(false)
  })
})

describe('a whole run on the host', () => {
  it('brings its commits out as a container does, without a session', async () => {
    const bench = await createEngineBench()
    try {
      await bench.setting('AGENT_RUNNER', 'host')
      const mailboxId = await bench.newIssue()
      const analysis = await bench.latest(mailboxId)
      const run = await bench.run(mailboxId, 'development')
      expect([analysis.row.sessionOffReason, run.row.sessionOffReason]).toEqual([
        'host_runner',
        'host_runner',
      ])
      expect(run.row).toMatchObject({ outcome: 'succeeded', badge: 'none', commits: 1 })
      expect(run.sandbox).toMatchObject({
        runner: 'host',
        credentials: expect.stringContaining('everything'),
      })
    } finally {
      await bench.remove()
    }
  })
})
