import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { RestoreReport } from '@shared/contract/restore'
import { stackOf } from '@shared/defect'
import { err, ok, type Result } from '@shared/result'
import { findNativeBinding } from '../adapters/db/native-binding'
import { connectToOwner } from '../adapters/ownership/connect-to-owner'
import { socketPath, systemSocketPlaces } from '../adapters/ownership/socket-path'
import { personTerminal } from '../cli/attach/person-terminal'
import type { EngineNeed } from '../cli/command'
import type { EngineTransport } from '../cli/engine-client'
import type { CommandFailure } from '../cli/failures'
import { createOutput, type Output } from '../cli/output'
import { linesUntil } from '../cli/read-lines'
import { runCommandLine } from '../cli/run-command-line'
import { describeStartFailure } from '../cli/start-failures'
import { createEngine } from './compose'
import { dataFolder } from './data-folder'
import { restoreData } from './restore-data'

/*
 * The command `alfred`: talks to the owner of the data, or becomes the owner for as long as the command takes.
 */

/** How long an owner that has no socket (yet) is waited for: it starts, or answers one question and goes. */
const ownerPatienceMs = 10_000
const ownerRetryMs = 100

/** Runs the command line of this process; the exit code. */
export async function runHeadless(): Promise<number> {
  const output = createOutput(
    (text) => void process.stdout.write(text),
    (text) => void process.stderr.write(text),
  )
  // Nothing should come this far; a defect beside the command must not end the runs that it looks after.
  process.on('unhandledRejection', (defect) =>
    output.error(`something failed beside the command: ${stackOf(defect)}`),
  )
  const leaving = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leaving.abort())
  const appFolder = findAppFolder()
  const version = readVersion(appFolder)
  return runCommandLine({
    words: process.argv.slice(2),
    program: process.env['ALFRED_COMMAND'] ?? 'alfred',
    output,
    version,
    signal: leaving.signal,
    readInput,
    readLines: () => linesUntil(process.stdin, leaving.signal),
    terminal: personTerminal(process.stdin, process.stdout),
    readVariable: (name) => process.env[name]?.trim() || null,
    connect: (need) => connect({ need, version, appFolder, leaving, output }),
    restore: () => restore(version),
  })
}

interface Place {
  readonly need: EngineNeed
  readonly version: string
  readonly appFolder: string
  readonly leaving: AbortController
  readonly output: Output
}

async function connect(place: Place): Promise<Result<EngineTransport, CommandFailure>> {
  const folder = dataFolder(process)
  const path = socketPath(folder, systemSocketPlaces())
  const deadline = performance.now() + ownerPatienceMs
  for (;;) {
    const owner = await connectToOwner(path)
    if (owner.ok) return ok(owner.value)
    const own = await startOwnEngine(place, folder)
    if (own.ok || own.error.type !== 'owner_silent' || performance.now() > deadline) {
      return own.ok ? own : err({ type: 'failed', message: describeStartFailure(own.error, folder) })
    }
    // Somebody owns the data and has no socket: it starts, or only answers one question. It is asked again.
    await wait(ownerRetryMs)
  }
}

/** An owner that answers has opened the database, so it is whole. */
async function restore(version: string): Promise<Result<RestoreReport | null, CommandFailure>> {
  const folder = dataFolder(process)
  const owner = await connectToOwner(socketPath(folder, systemSocketPlaces()))
  if (owner.ok) {
    await owner.value.close()
    return err({ type: 'failed', message: 'Alfred is running on this data. Quit it first, then try again.' })
  }
  const restored = await restoreData({
    dataFolder: folder,
    kind: 'headless',
    version,
    command: 'alfred restore',
    nativeBinding: findNativeBinding(process.env, process.resourcesPath),
  })
  if (restored.ok) return restored
  return err({ type: 'failed', message: describeStartFailure(restored.error, folder) })
}

async function startOwnEngine({ need, version, appFolder, leaving, output }: Place, folder: string) {
  const engine = await createEngine({
    dataFolder: folder,
    kind: 'headless',
    resourcesFolder: join(appFolder, 'resources'),
    version,
    // Nobody sits in front of a headless engine; the messages wait in the store for a window.
    notifier: { show: () => undefined },
    work: need,
    command: ['alfred', ...process.argv.slice(2)].join(' '),
    nativeBinding: findNativeBinding(process.env, process.resourcesPath),
    allowsDemonstration: process.env['ALFRED_ALLOW_DEMONSTRATION'] === '1',
    onHandedOver: () => {
      output.progress('A window has taken over; live runs go on there.')
      leaving.abort()
      process.exit(0)
    },
  })
  if (!engine.ok) return engine
  const running = engine.value
  process.on('unhandledRejection', (defect) => running.noteDefect(defect))
  const { dispatch } = running
  const transport: EngineTransport = {
    invoke: (channel, input) => dispatch.invoke(channel, input),
    subscribe: (channel, key, listener) => {
      const subscription = dispatch.subscribe(channel, key, listener)
      if (!subscription.ok) throw new Error(`${channel}: ${subscription.error.type}`)
      return Promise.resolve(subscription.value)
    },
    // A command that has done its work also tells it; who leaves does not wait for that.
    close: () => running.stop('keep', leaving.signal),
    isOwnProcess: true,
  }
  return ok(transport)
}

/** The folder with `resources` and `package.json`: given by the launcher, else above the built file. */
function findAppFolder(): string {
  return process.env['ALFRED_APP_DIR'] ?? join(import.meta.dirname, '..', '..')
}

function readVersion(appFolder: string): string {
  try {
    const found: unknown = JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8'))
    return typeof found === 'object' && found !== null && 'version' in found
      ? String(found.version)
      : 'unknown'
  } catch {
    return 'unknown'
  }
}

async function readInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Buffer))
  return Buffer.concat(parts).toString('utf8')
}
