import type { z } from 'zod'
import type { appContract, InstallationRow, LoginAnswer } from '@shared/contract/app'
import { err, ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import type { ContainerRuntime } from '../../ports/container-runtime'
import type { Installation } from '../../ports/stores'
import type { AgentDetection, DetectionPlace } from '../agent-detection'
import type { ImageError as BuildError } from '../image-base'
import { forgetGoneImages } from './gone-images'
import { installationRows, type InstallationRowParts } from './installation-row'
import type { LoginProbe } from './login-probe'
import type { AgentImage, ImageBuilder } from '../image-builder'
import type { RunImage, RunImageError, RunImages } from '../runs/run-parts'
import type { ChangeFeed } from '../status/change-feed'
import type { ImageStatus } from '../status/status-service'

type ProbeError =
  | z.infer<(typeof appContract)['probeLogin']['error']>
  | { readonly type: 'not_found'; readonly what: string }
type CheckError =
  | z.infer<(typeof appContract)['checkInstallation']['error']>
  | { readonly type: 'not_found'; readonly what: string }
type OneInstallation = z.infer<(typeof appContract)['checkInstallation']['input']>
type ImageError = z.infer<(typeof appContract)['buildImage']['error']>

/** The agent image and the CLIs in it, for people and for runs. */
export interface AgentsService extends RunImages {
  /** With the login as it is now, for the app and for each project whose settings differ. */
  list(): Promise<InstallationRow[]>
  /** Asks every CLI for its version: in the app's image, in every other one that runs were in, and on this computer. */
  check(): Promise<Result<InstallationRow[], ImageError>>
  /** The same of one alone. */
  checkOne(place: OneInstallation): Promise<Result<InstallationRow, CheckError>>
  /** The same of this computer; asks nothing while no project runs on it. */
  checkHost(): Promise<void>
  /** The same of each that was asked longer ago, where it is still in use; Docker that is away is asked another time. */
  checkOlderThan(ageMs: number, signal: AbortSignal): Promise<void>
  /** Asks the provider of a CLI of this image whether its login is good, which costs tokens. */
  probeLogin(adapter: AdapterId, imageDigest: string): Promise<Result<LoginAnswer, ProbeError>>
  /** The image for this base, and what is in it; null: that of the app. */
  build(base: string | null): Promise<Result<{ readonly tag: string; readonly digest: string }, ImageError>>
  cancelBuild(): void
  imageStatus(): ImageStatus
  /** The image that is there; null when it must be built first, or nobody can say. */
  findImage(): Promise<AgentImage | null>
  /** Looks which images are gone from the engine: what is in them is not shown any more. */
  forgetGoneImages(): Promise<void>
  /** Every CLI that answers in this image, asked once per image. */
  installationsIn(image: RunImage): Promise<readonly Installation[]>
}

interface Parts extends InstallationRowParts {
  readonly changes: ChangeFeed
  readonly runtime: ContainerRuntime
  readonly host: Pick<ContainerRuntime, 'runOnce'>
  /** Whether a project asks for the host runner, which takes a person's consent. */
  readonly usesHost: () => boolean
  readonly builder: ImageBuilder
  readonly detection: AgentDetection
  /** AGENT_IMAGE of the app. */
  readonly base: () => string | null
  readonly onStatus: () => void
  readonly probe: LoginProbe
}

const unknownImage: ImageStatus = {
  state: 'unknown',
  step: null,
  fraction: null,
  detail: null,
  tag: null,
  sizeBytes: null,
  agents: [],
}

const readyImage = ({ tag, sizeBytes, agents }: AgentImage): ImageStatus => ({
  ...unknownImage,
  state: 'ready',
  tag,
  sizeBytes,
  agents: [...agents],
})

export function createAgentsService(parts: Parts): AgentsService {
  const { store, adapters, changes, runtime, builder, detection, base } = parts
  let status = unknownImage
  let building = new AbortController()
  /** When installations could not be asked, though Docker answered; until the engine ends. */
  const failedAt = new Map<string, number>()

  const setStatus = (next: ImageStatus): void => {
    status = next
    parts.onStatus()
  }

  const ensureImage = async (
    wanted: string | null,
    onProgress: (step: string, fraction: number | null) => void,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, BuildError>> => {
    if (building.signal.aborted) building = new AbortController()
    const made = await builder.ensure(
      wanted,
      ({ step, fraction, detail }) => {
        setStatus({ ...unknownImage, state: 'building', step, fraction, detail })
        onProgress(step, fraction)
      },
      AbortSignal.any([signal, building.signal]),
    )
    setStatus(made.ok ? readyImage(made.value) : imageWithout(made.error))
    return made
  }

  const placeOf = (image: Pick<RunImage, 'digest'>): DetectionPlace => ({
    runner: 'container',
    runtime,
    reference: image.digest,
    digest: image.digest,
  })

  const installation: RunImages['installation'] = async (adapter, image) => {
    const found = await detection.known(adapter, placeOf(image))
    if (found.ok) changes.publish({ type: 'agents' })
    return found
  }

  const list = (): Promise<InstallationRow[]> => installationRows(parts)

  const thisComputer = { runner: 'host', runtime: parts.host, reference: '', digest: '' } as const

  const checkHost = async (): Promise<void> => {
    if (!parts.usesHost()) return
    for (const adapter of adapters.all()) await detection.detect(adapter, thisComputer)
    changes.publish({ type: 'agents' })
  }

  const checkImage = async (image: Pick<RunImage, 'digest'>): Promise<Result<null, ImageError>> => {
    for (const adapter of adapters.all()) {
      const found = await detection.detect(adapter, placeOf(image))
      if (!found.ok && found.error.type === 'unreachable')
        return err({ type: 'docker_unreachable', message: found.error.message })
    }
    return ok(null)
  }

  const forgetGone: AgentsService['forgetGoneImages'] = async () => {
    if (await forgetGoneImages(store.images, runtime)) changes.publish({ type: 'agents' })
  }

  /** Images beside that of the app in which somebody looked before, and that are still there. */
  const otherImages = (digest: string): readonly RunImage[] => {
    const seen = new Set(store.installations.list().map(({ imageDigest }) => imageDigest))
    return store.images.list().filter((image) => image.digest !== digest && seen.has(image.digest))
  }

  const findImage: AgentsService['findImage'] = async () => {
    const found = await builder.find(base())
    if (!found.ok) return null
    if (status.state !== 'building')
      setStatus(
        found.value === null
          ? // Why the last build failed is true until one does not.
            {
              ...unknownImage,
              state: 'missing',
              detail: status.state === 'missing' ? status.detail : null,
            }
          : readyImage(found.value),
      )
    await forgetGone()
    return found.value
  }

  const never = new AbortController().signal
  return {
    async ensure(wanted, onProgress, signal) {
      const made = await ensureImage(wanted, onProgress, signal)
      if (!made.ok) return err(toRunImageError(made.error))
      return made
    },
    installation,
    list,
    checkHost,
    async check() {
      await checkHost()
      const made = await ensureImage(base(), () => undefined, never)
      if (!made.ok) return err(toContractError(made.error))
      await forgetGone()
      for (const image of [made.value, ...otherImages(made.value.digest)]) {
        const checked = await checkImage(image)
        if (!checked.ok) return checked
      }
      changes.publish({ type: 'agents' })
      return ok(await list())
    },
    async checkOne({ adapter: id, runner, imageDigest }) {
      const adapter = adapters.find(id)
      const isHost = runner === 'host'
      const digest = imageDigest ?? ''
      if (adapter === null || store.installations.find(id, runner, digest) === null)
        return err({ type: 'not_found', what: isHost ? `${id} on this computer` : `${id} in this image` })
      if (isHost && !parts.usesHost())
        return err({ type: 'not_found', what: 'a project that runs on this computer' })
      if (!isHost) {
        const image = await runtime.findImage(digest)
        if (!image.ok) return err({ type: 'docker_unreachable', message: image.error.message })
        if (image.value === null) {
          await forgetGone()
          return err({ type: 'image_gone', message: goneWords })
        }
      }
      const found = await detection.detect(adapter, isHost ? thisComputer : placeOf({ digest }))
      if (!found.ok) return err({ type: 'docker_unreachable', message: found.error.message })
      changes.publish({ type: 'agents' })
      const rows = await list()
      const row = rows.find((other) => other.adapter === id && (other.imageDigest ?? '') === digest)
      return row === undefined ? err({ type: 'image_gone', message: goneWords }) : ok(row)
    },
    async checkOlderThan(ageMs, signal) {
      const isOld = (at: number): boolean => Math.abs(parts.clock.now() - at) >= ageMs
      const due = store.installations
        .list()
        .filter((one) => isOld(one.detectedAt) && isOld(failedAt.get(keyOf(one)) ?? one.detectedAt))
      if (due.length === 0) return
      await forgetGone()
      const there = new Set(store.images.list().map(({ digest }) => digest))
      for (const one of due) {
        const { adapter: id, runner, imageDigest } = one
        const adapter = adapters.find(id)
        const isThere = runner === 'host' ? parts.usesHost() : there.has(imageDigest)
        if (adapter === null || !isThere) continue
        if (signal.aborted) return
        const place = runner === 'host' ? thisComputer : placeOf({ digest: imageDigest })
        const found = await detection.detect(adapter, place)
        if (found.ok) continue
        if (found.error.type === 'unreachable') return
        failedAt.set(keyOf(one), parts.clock.now())
      }
      changes.publish({ type: 'agents' })
    },
    async probeLogin(id, imageDigest) {
      const adapter = adapters.find(id)
      const found = store.installations.find(id, 'container', imageDigest)
      if (adapter === null || found === null || found.version === null) {
        return err({ type: 'not_found', what: `${id} in this image` })
      }
      const asked = await parts.probe.ask(adapter, found)
      if (!asked.ok) return err({ type: 'docker_unreachable', message: asked.error.message })
      // It was paid for, so it is kept.
      const proof = { ...asked.value, tookMs: Math.round(asked.value.tookMs), askedAt: parts.clock.now() }
      store.installations.putProof(id, imageDigest, proof)
      changes.publish({ type: 'agents' })
      return ok(proof)
    },
    async build(wanted) {
      const made = await ensureImage(wanted ?? base(), () => undefined, never)
      // The status tells of the app's image, also after another one was built.
      if (wanted !== null && wanted !== base()) await findImage()
      if (!made.ok) return err(toContractError(made.error))
      for (const adapter of adapters.all()) await installation(adapter, made.value)
      return ok({ tag: made.value.tag, digest: made.value.digest })
    },
    cancelBuild: () => building.abort(),
    imageStatus: () => status,
    async installationsIn(image) {
      const found: Installation[] = []
      for (const adapter of adapters.all()) {
        const known = await installation(adapter, image)
        if (known.ok) found.push(known.value)
      }
      return found
    },
    findImage,
    forgetGoneImages: forgetGone,
  }
}

const keyOf = ({ adapter, runner, imageDigest }: Installation): string =>
  `${adapter} ${runner} ${imageDigest}`

const goneWords =
  'Docker does not have this image any more. It is made again before the next run that needs it; sessions are kept.'

const imageWithout = (error: BuildError): ImageStatus => ({
  ...unknownImage,
  state: error.type === 'docker_unreachable' ? 'unknown' : 'missing',
  detail: error.type === 'build_failed' ? whatFailed(error) : null,
})

/** A step is said once, also where the message begins with it. */
const whatFailed = ({ step, message }: { readonly step: string; readonly message: string }): string =>
  message.startsWith(`${step}: `) ? message : `${step}: ${message}`

const toContractError = (error: BuildError): ImageError =>
  error.type === 'cancelled' ? { type: 'cancelled' } : error

function toRunImageError(error: BuildError): RunImageError {
  switch (error.type) {
    case 'docker_unreachable':
      return error
    case 'build_failed':
      return {
        type: 'image_missing',
        message: `The agent image could not be made: ${whatFailed(error)}`,
      }
    case 'cancelled':
      return { type: 'aborted' }
  }
}
