import type { z } from 'zod'
import type { appContract, InstallationRow } from '@shared/contract/app'
import { err, ok, type Result } from '@shared/result'
import { rangeWords } from '../../core/agents/version-range'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { ContainerError } from '../../ports/container-runtime'
import type { Installation, Store } from '../../ports/stores'
import type { RunImage, RunImageError, RunImages } from '../runs/run-parts'
import type { ChangeFeed } from '../status/change-feed'
import type { ImageStatus } from '../status/status-service'

type ImageError = z.infer<(typeof appContract)['buildImage']['error']>

/** The agent image and the CLIs in it, for people and for runs. */
export interface AgentsService extends RunImages {
  list(): InstallationRow[]
  /** Asks every CLI of the image for its version. */
  check(): Promise<Result<InstallationRow[], ImageError>>
  build(): Promise<Result<{ readonly tag: string; readonly digest: string }, ImageError>>
  cancelBuild(): void
  imageStatus(): ImageStatus
}

/** How the image is made; several who ask for the same one at once share the work. */
export interface AgentImageBuilder {
  ensure(
    base: string | null,
    onProgress: (progress: { readonly step: string; readonly fraction: number | null; readonly detail: string }) => void,
    signal: AbortSignal,
  ): Promise<Result<RunImage, ImageBuildError>>
}

export type ImageBuildError =
  | { readonly type: 'docker_unreachable'; readonly message: string }
  | { readonly type: 'build_failed'; readonly step: string; readonly message: string }
  | { readonly type: 'cancelled' }

export type DetectAgent = (adapter: AgentAdapter, image: RunImage) => Promise<Result<Installation, ContainerError>>

interface Parts {
  readonly store: Store
  readonly adapters: AgentAdapters
  readonly changes: ChangeFeed
  readonly builder: AgentImageBuilder
  readonly detect: DetectAgent
  /** AGENT_IMAGE of the app. */
  readonly base: () => string | null
  readonly onStatus: () => void
}

const unknownImage: ImageStatus = { state: 'unknown', step: null, fraction: null, detail: null, tag: null }

export function createAgentsService(parts: Parts): AgentsService {
  const { store, adapters, changes, builder, detect, base } = parts
  let status = unknownImage
  let building = new AbortController()

  const setStatus = (next: ImageStatus): void => {
    status = next
    parts.onStatus()
  }

  const ensureImage = async (
    wanted: string | null,
    onProgress: (step: string, fraction: number | null) => void,
    signal: AbortSignal,
  ): Promise<Result<RunImage, ImageBuildError>> => {
    if (building.signal.aborted) building = new AbortController()
    const made = await builder.ensure(
      wanted,
      ({ step, fraction, detail }) => {
        setStatus({ state: 'building', step, fraction, detail, tag: null })
        onProgress(step, fraction)
      },
      AbortSignal.any([signal, building.signal]),
    )
    setStatus(made.ok ? { ...unknownImage, state: 'ready', tag: made.value.tag } : { ...unknownImage, state: made.error.type === 'docker_unreachable' ? 'unknown' : 'missing' })
    return made
  }

  const installation: RunImages['installation'] = async (adapter, image) => {
    const known = store.installations.find(adapter.id, 'container', image.digest)
    if (known !== null) return ok(known)
    const found = await detect(adapter, image)
    if (found.ok) keep(found.value)
    return found
  }

  const keep = (found: Installation): void => {
    store.installations.put(found)
    changes.publish({ type: 'agents' })
  }

  const never = new AbortController().signal
  return {
    async ensure(wanted, onProgress, signal) {
      const made = await ensureImage(wanted, onProgress, signal)
      if (!made.ok) return err(toRunImageError(made.error))
      return made
    },
    installation,
    list: () => store.installations.list().map((row) => toRow(parts, row)),
    async check() {
      const made = await ensureImage(base(), () => undefined, never)
      if (!made.ok) return made
      for (const adapter of adapters.all()) {
        const found = await detect(adapter, made.value)
        if (found.ok) keep(found.value)
        else if (found.error.type === 'unreachable') return err({ type: 'docker_unreachable', message: found.error.message })
      }
      return ok(store.installations.list().map((row) => toRow(parts, row)))
    },
    build: () => ensureImage(base(), () => undefined, never),
    cancelBuild: () => building.abort(),
    imageStatus: () => status,
  }
}

function toRunImageError(error: ImageBuildError): RunImageError {
  switch (error.type) {
    case 'docker_unreachable':
      return error
    case 'build_failed':
      return { type: 'image_missing', message: `The agent image could not be made (${error.step}): ${error.message}` }
    case 'cancelled':
      return { type: 'aborted' }
  }
}

function toRow({ store, adapters }: Parts, row: Installation): InstallationRow {
  const adapter = adapters.find(row.adapter)
  const image = store.images.list().find(({ digest }) => digest === row.imageDigest)
  const { adapter: id, runner, imageDigest, version, resumable, reason, loginState, detectedAt } = row
  return {
    adapter: id,
    runner,
    imageTag: image?.tag ?? null,
    imageDigest: imageDigest === '' ? null : imageDigest,
    version,
    resumable,
    reason,
    verifiedRange: adapter === null || adapter.resumeVersions.length === 0 ? null : rangeWords(adapter.resumeVersions),
    statePath: adapter?.sessionStatePath ?? null,
    loginState,
    detectedAt,
  }
}
