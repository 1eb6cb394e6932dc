import type { z } from 'zod'
import type { appContract, InstallationRow, LoginAnswer } from '@shared/contract/app'
import { err, ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import type { ContainerRuntime } from '../../ports/container-runtime'
import type { Installation } from '../../ports/stores'
import type { AgentDetection, DetectionPlace } from '../agent-detection'
import type { ImageError as BuildError } from '../image-base'
import { installationRows, type InstallationRowParts } from './installation-row'
import type { LoginProbe } from './login-probe'
import type { AgentImage, ImageBuilder } from '../image-builder'
import type { RunImage, RunImageError, RunImages } from '../runs/run-parts'
import type { ChangeFeed } from '../status/change-feed'
import type { ImageStatus } from '../status/status-service'

type ProbeError =
  | z.infer<(typeof appContract)['probeLogin']['error']>
  | { readonly type: 'not_found'; readonly what: string }
type ImageError = z.infer<(typeof appContract)['buildImage']['error']>

/** The agent image and the CLIs in it, for people and for runs. */
export interface AgentsService extends RunImages {
  /** With the login as it is now, for the app and for each project whose settings differ. */
  list(): Promise<InstallationRow[]>
  /** Asks every CLI of the image for its version. */
  check(): Promise<Result<InstallationRow[], ImageError>>
  /** The same of this computer; asks nothing while no project runs on it. */
  checkHost(): Promise<void>
  /** Asks the provider of a CLI of this image whether its login is good, which costs tokens. */
  probeLogin(adapter: AdapterId, imageDigest: string): Promise<Result<LoginAnswer, ProbeError>>
  build(): Promise<Result<{ readonly tag: string; readonly digest: string }, ImageError>>
  cancelBuild(): void
  imageStatus(): ImageStatus
  /** The image that is there; null when it must be built first, or nobody can say. */
  findImage(): Promise<AgentImage | null>
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

  const placeOf = (image: RunImage): DetectionPlace => ({
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

  const checkHost = async (): Promise<void> => {
    if (!parts.usesHost()) return
    const place = { runner: 'host', runtime: parts.host, reference: '', digest: '' } as const
    for (const adapter of adapters.all()) await detection.detect(adapter, place)
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
    list,
    checkHost,
    async check() {
      await checkHost()
      const made = await ensureImage(base(), () => undefined, never)
      if (!made.ok) return err(toContractError(made.error))
      for (const adapter of adapters.all()) {
        const found = await detection.detect(adapter, placeOf(made.value))
        if (!found.ok && found.error.type === 'unreachable')
          return err({ type: 'docker_unreachable', message: found.error.message })
      }
      changes.publish({ type: 'agents' })
      return ok(await list())
    },
    async probeLogin(id, imageDigest) {
      const adapter = adapters.find(id)
      const found = store.installations.find(id, 'container', imageDigest)
      if (adapter === null || found === null || found.version === null) {
        return err({ type: 'not_found', what: `${id} in this image` })
      }
      const asked = await parts.probe.ask(adapter, found)
      return asked.ok ? asked : err({ type: 'docker_unreachable', message: asked.error.message })
    },
    async build() {
      const made = await ensureImage(base(), () => undefined, never)
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
    async findImage() {
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
      return found.value
    },
  }
}

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
