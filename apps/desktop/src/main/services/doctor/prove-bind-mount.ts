import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import type { SandboxUser } from '../../core/sandbox/sandbox-user'
import type { ContainerRuntime } from '../../ports/container-runtime'
import type { Randomness } from '../../ports/randomness'
import type { SandboxFiles } from '../../ports/sandbox-files'

interface Parts {
  readonly runtime: ContainerRuntime
  readonly sandboxFiles: SandboxFiles
  readonly randomness: Randomness
  readonly installId: string
  readonly dataFolder: string
}

const patienceMs = 30_000

/** Lets a container write a file into the data folder as a run would, and reads it here. Error: what went wrong. */
export async function proveBindMount(
  parts: Parts,
  image: string,
  user: SandboxUser,
): Promise<Result<null, string>> {
  const { runtime, sandboxFiles, randomness, installId, dataFolder } = parts
  const id = randomness.uuidV4()
  const folder = join(dataFolder, 'doctor', id)
  try {
    await mkdir(join(dataFolder, 'doctor'), { recursive: true, mode: 0o700 })
    await sandboxFiles.ensureFolder(folder, user)
    const started = await runtime.start({
      name: `alfred-doctor-${id}`,
      image,
      argv: ['/bin/sh', '-c', `printf %s '${id}' > /probe/written`],
      environment: {},
      workingDirectory: '/',
      user,
      mounts: [{ kind: 'bind', source: folder, target: '/probe', readOnly: false, purpose: 'proof' }],
      limits: { memoryBytes: 64_000_000, cpus: 1, pids: 16 },
      network: 'none',
      labels: { [sandboxLabels.install]: installId, [sandboxLabels.purpose]: 'doctor' },
    })
    if (!started.ok) return err(started.error.message)
    const ended = await runtime.wait(started.value.id, AbortSignal.timeout(patienceMs))
    await runtime.remove(started.value.id)
    if (!ended.ok) return err(ended.error.message)
    const written = await readFile(join(folder, 'written'), 'utf8').catch(() => null)
    return written === id
      ? ok(null)
      : err(`a container could not write ${folder} as uid ${user.uid} (exit code ${ended.value.exitCode})`)
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
