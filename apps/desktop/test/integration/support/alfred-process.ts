import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'vite'
import { connectToOwner } from '@main/adapters/ownership/connect-to-owner'
import { socketPath, systemSocketPlaces } from '@main/adapters/ownership/socket-path'
import { createEngineClient, type EngineClient } from '@main/cli/engine-client'

/*
 * `alfred` as a process of its own, built from the sources as they are, so that it can be killed.
 */

const appFolder = resolve(import.meta.dirname, '../../..')
const outFolder = join(appFolder, 'node_modules', '.cache', 'alfred-test')

/** Builds the command once per test file; returns its path. */
export async function buildAlfred(): Promise<string> {
  await build({
    configFile: false,
    root: appFolder,
    logLevel: 'silent',
    resolve: { alias: { '@shared': join(appFolder, 'src/shared'), '@main': join(appFolder, 'src/main') } },
    build: {
      ssr: true,
      target: 'node20',
      outDir: outFolder,
      emptyOutDir: false,
      rolldownOptions: {
        input: { alfred: join(appFolder, 'src/main/alfred.ts') },
        external: ['better-sqlite3', 'dockerode'],
      },
    },
  })
  return join(outFolder, 'alfred.js')
}

export interface AlfredProcess {
  readonly child: ChildProcess
  readonly client: EngineClient
  /** SIGKILL, and the end of the process. */
  kill(): Promise<void>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const environmentOf = (dataFolder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  ALFRED_HOME: dataFolder,
  ALFRED_APP_DIR: appFolder,
  ALFRED_ALLOW_DEMONSTRATION: '1',
})

export interface StartOptions {
  /** The command that starts the program with what follows; nothing: it is started by itself. */
  readonly through?: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
}

/** Starts `alfred watch` and connects to it. */
export async function startAlfred(
  program: string,
  dataFolder: string,
  { through = [], environment = {} }: StartOptions = {},
): Promise<AlfredProcess> {
  const [command, ...argv] = [...through, process.execPath, program, 'watch']
  const child = spawn(command, argv, {
    env: { ...environmentOf(dataFolder), ...environment },
    stdio: 'ignore',
  })
  const connected = await connectToChild(child, dataFolder)
  if (connected === null) throw new Error(`alfred watch ended with ${child.exitCode}`)
  return connected
}

/** Waits until the child answers as the owner of the data; null when it ends before. */
export async function connectToChild(child: ChildProcess, dataFolder: string): Promise<AlfredProcess | null> {
  const path = socketPath(dataFolder, systemSocketPlaces())
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  while (!hasEnded()) {
    const connection = await connectToOwner(path)
    if (connection.ok) {
      return {
        child,
        client: createEngineClient(connection.value),
        async kill() {
          child.kill('SIGKILL')
          if (!hasEnded()) await once(child, 'exit')
          await connection.value.closed
        },
      }
    }
    // Nothing tells that the socket is there but the socket.
    await wait(20)
  }
  return null
}

/** Runs one command line to its end. */
export async function runAlfred(
  program: string,
  dataFolder: string,
  words: readonly string[],
  input = '',
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], {
    env: environmentOf(dataFolder),
    stdio: 'pipe',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  child.stdin.end(input)
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}
