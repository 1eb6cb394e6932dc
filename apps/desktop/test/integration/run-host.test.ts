import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDataRemover } from '@main/adapters/disk/data-remover'
import { createHostRuntime } from '@main/adapters/host-runner/host-runtime'
import { createSystemClock } from '@main/adapters/system/system-clock'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'
import { createEngineBench, removeFolder, value } from './support/engine-bench'
import { silentLogger } from './support/silent-logger'

/*
 * The host runner: processes that outlive the app, behind the port of the container engine.
 */

let folder: string
let runtime: ContainerRuntime
let warnings: string[] = []
const hostFolder = (...names: readonly string[]): string => join(folder, 'host-runner', ...names)
const open = (): ContainerRuntime =>
  createHostRuntime({
    clock: createSystemClock(),
    folder: hostFolder(),
    toolsFolder: join(folder, 'tools'),
    remover: createDataRemover(folder),
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
  })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-host-'))
  warnings = []
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

const ended = /^(gone|Z)$/

/** A killed process whose parent is gone may stay for a moment, as nothing more than its number. */
function stateOf(pid: string): string {
  return statOf(pid)?.[0] ?? 'gone'
}

/** What lives in the process group of another. */
function membersOf(pid: string): readonly string[] {
  const group = statOf(pid)?.[2]
  return readdirSync('/proc').filter((name) => {
    const fields = /^\d+$/.test(name) ? statOf(name) : null
    return fields !== null && fields[2] === group && fields[0] !== 'Z'
  })
}

function statOf(pid: string): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

describe('a host run', () => {
  it('works in the places that a container would see, with a home and nothing of our environment', async () => {
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
    expect(environment).toContain(`HOME=${hostFolder('homes')}/`)
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

  it('leaves nothing behind once it is removed, whatever it closed', async () => {
    value(
      await runtime.start(
        spec('mkdir -p "$HOME/cache/x"; chmod 500 "$HOME/cache"; touch "$HOME/file"; exit 0'),
      ),
    )
    await wait()
    value(await runtime.remove('run-1'))
    expect(await runtime.inspect('run-1')).toMatchObject({ error: { type: 'not_found' } })
    expect(readdirSync(hostFolder('runs'))).toEqual([])
    expect(readdirSync(hostFolder('homes'))).toEqual([])
  })
})

describe('the home of a host run', () => {
  const looks = 'ls -A "$HOME" > "$ALFRED_OUT_FOLDER/found"; echo "$HOME" > "$ALFRED_OUT_FOLDER/home"'
  const found = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8').trim()
  const outside = (): string => {
    mkdirSync(join(folder, 'outside'))
    writeFileSync(join(folder, 'outside', 'precious'), 'x')
    return join(folder, 'outside')
  }

  it('is empty at each start, with nothing of an earlier run of the issue', async () => {
    for (let round = 0; round < 2; round += 1) {
      value(await runtime.start(spec(`${looks}; echo login > "$HOME/.login"`)))
      await wait()
      expect(found('found')).toBe('')
      expect(readdirSync(found('home'))).toEqual(['.login'])
      value(await runtime.remove('run-1'))
      expect(existsSync(found('home'))).toBe(false)
    }
  })

  it('is empty when a crash left a start half begun, or somebody put a link there', async () => {
    value(await runtime.start(spec(looks)))
    await wait()
    value(await runtime.remove('run-1'))
    const home = found('home')
    symlinkSync(outside(), home)
    mkdirSync(hostFolder('runs', 'run-1'))
    writeFileSync(hostFolder('runs', 'run-1', 'exit'), '0')
    value(await runtime.start(spec(`${looks}; sleep 0.3; exit 4`)))
    expect(await wait()).toMatchObject({ exitCode: 4 })
    expect([found('home'), found('found')]).toEqual([home, ''])
    value(await runtime.remove('run-1'))
    expect(readdirSync(join(folder, 'outside'))).toEqual(['precious'])
  })

  it('is made nowhere else: a link in place of the folder around it is refused', async () => {
    mkdirSync(hostFolder())
    symlinkSync(outside(), hostFolder('homes'))
    expect(await runtime.start(spec(looks))).toMatchObject({
      error: { type: 'unexpected', message: expect.stringContaining('is a link') },
    })
    expect(readdirSync(join(folder, 'outside'))).toEqual(['precious'])
  })
})

describe('what a host run leaves', () => {
  const lasting = 'sleep 600 & echo $! > "$ALFRED_OUT_FOLDER/child.new"'
  const isThere = 'mv "$ALFRED_OUT_FOLDER/child.new" "$ALFRED_OUT_FOLDER/child"'
  const child = (): string => readFileSync(join(folder, 'out', 'child'), 'utf8').trim()
  /** As the system does when memory is short: then nobody ends the rest of the group. */
  const killsItsKeeper = 'kill -KILL "$PPID"'

  it('ends with it', async () => {
    value(await runtime.start(spec(`${lasting}; ${isThere}; exit 6`)))
    expect(await wait()).toMatchObject({ exitCode: 6 })
    await expect.poll(() => stateOf(child())).toMatch(ended)
  })

  it('ends when it is removed, if it could not end with it', async () => {
    value(await runtime.start(spec(`${lasting}; ${killsItsKeeper}; ${isThere}`)))
    expect(await wait()).toMatchObject({ running: false, exitCode: 137 })
    await untilThere('child')
    expect(stateOf(child())).not.toMatch(ended)
    value(await runtime.remove('run-1'))
    await expect.poll(() => stateOf(child())).toMatch(ended)
    expect(warnings).toEqual([])
  })

  it('is left alone, and told, where nothing proves whose it is', async () => {
    value(await runtime.start(spec(`env -i ${lasting}; ${killsItsKeeper}; ${isThere}`)))
    await wait()
    await untilThere('child')
    // What ran the script has our mark until it is gone, and its child until it is `sleep`.
    await expect.poll(() => membersOf(child())).toEqual([child()])
    await expect.poll(() => readFileSync(`/proc/${child()}/comm`, 'utf8')).toBe('sleep\n')
    try {
      value(await runtime.remove('run-1'))
      expect(stateOf(child())).not.toMatch(ended)
      expect(warnings).toEqual([expect.stringContaining('left alone')])
    } finally {
      process.kill(Number(child()), 'SIGKILL')
    }
  })
})

describe('a short command of this computer', () => {
  const place = (name: string, script: string): void => {
    mkdirSync(join(folder, 'tools'), { recursive: true })
    writeFileSync(join(folder, 'tools', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const run = (...argv: readonly string[]) => runtime.runOnce('', argv, 5_000)

  it('gets an empty home, no word through a shell, and nothing of the environment', async () => {
    process.env['ALFRED_TOKEN_PIER'] = 'hunter2'
    place('cli', 'ls -A "$HOME"; pwd; echo "$1"; env; echo no >&2; exit 3')
    try {
      const { exitCode, stdout, stderr } = value(await run('cli', '$(id); *'))
      expect([exitCode, stderr]).toEqual([3, 'no\n'])
      const [home, word] = stdout.split('\n')
      expect(word).toBe('$(id); *')
      expect(home).toContain(hostFolder('homes'))
      expect(existsSync(home ?? '')).toBe(false)
      expect(stdout).not.toContain('hunter2')
    } finally {
      delete process.env['ALFRED_TOKEN_PIER']
    }
  })

  it('is missing, or says nothing of use when it does not end', async () => {
    expect(await run('alfred-no-such-cli', '--version')).toMatchObject({ error: { type: 'command_missing' } })
    place('hangs', 'sleep 600 & echo $! > "$0.child"; wait')
    expect(await runtime.runOnce('', ['hangs'], 300)).toMatchObject({
      error: { type: 'unexpected', message: 'hangs did not answer in time.' },
    })
    const child = readFileSync(join(folder, 'tools', 'hangs.child'), 'utf8').trim()
    await expect.poll(() => stateOf(child)).toMatch(ended)
  })

  it('may leave something behind that holds its output', async () => {
    place('leaves', 'sleep 600 & echo 1.2.3')
    expect(value(await run('leaves'))).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' })
  })
})

describe('a whole run on the host', () => {
  it('takes consent for its project: without it, or for more than a project, it is refused', async () => {
    const bench = await createEngineBench()
    try {
      const ask = async (scope: 'app' | 'project', scopeId: number) => {
        const host = { scope, scopeId, key: 'AGENT_RUNNER', value: 'host' } as const
        const set = await bench.client.call('settings', 'set', host)
        return set.ok ? null : set.error.type
      }
      expect(await ask('project', bench.projectId)).toBe('consent_needed')
      expect(await ask('app', 0)).toBe('wrong_scope')
      const place = { scope: 'project', scopeId: bench.projectId } as const
      const rows = value(await bench.client.call('settings', 'list', place))
      expect(rows.find(({ key }) => key === 'AGENT_RUNNER')).toMatchObject({
        value: 'container',
        origin: 'default',
      })
    } finally {
      await bench.remove()
    }
  })

  it('shows which CLIs this computer has once a project runs on it, and not before', async () => {
    const bench = await createEngineBench()
    try {
      const onHost = async () =>
        value(await bench.client.call('app', 'agents', {})).filter(({ runner }) => runner === 'host')
      expect(await onHost()).toEqual([])
      await bench.setting('AGENT_RUNNER', 'host')
      await expect
        .poll(async () => (await onHost()).find(({ adapter }) => adapter === 'demo'))
        .toMatchObject({
          version: '1.0.0',
          imageDigest: null,
          resumable: false,
          reason: 'Sessions need a container.',
        })
    } finally {
      await bench.remove()
    }
  })

  it('brings its commits out as a container does, without a session; a chat is told a replay', async () => {
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
      const { threadId, isReplay } = value(await bench.client.call('chats', 'open', { runId: run.row.runId }))
      expect(isReplay).toBe(true)
      const sent = { threadId, text: 'Why a dash?', resumeChoice: 'auto' } as const
      const turn = await bench.ended(value(await bench.client.call('chats', 'send', sent)).runId)
      expect(turn.row).toMatchObject({
        outcome: 'succeeded',
        runner: 'host',
        sessionOffReason: 'host_runner',
        nativeSessionId: null,
      })
      const [folder = ''] = readdirSync(join(bench.folder, 'runs')).toSorted().slice(-1)
      const prompt = readFileSync(join(bench.folder, 'runs', folder, 'in', 'prompt'), 'utf8')
      expect(prompt).toContain('This is a replay of a transcript and not your memory.')
      expect(prompt).toContain('> You: ')
    } finally {
      await bench.remove()
    }
  })
})
