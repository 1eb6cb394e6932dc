import { err, ok, type Result } from '@shared/result'
import type { AdapterId } from '@shared/model/words'
import type { AgentImageRecipe, BaseMaker } from '@main/ports/agent-image'
import type { Clock } from '@main/ports/clock'
import type {
  ContainerError,
  ContainerRuntime,
  ImageInfo,
  OnBuildProgress,
} from '@main/ports/container-runtime'
import type { Logger } from '@main/ports/logger'
import type { BuiltImage, ImageStore } from '@main/ports/stores'

/*
 * The image that agents run in. Built once per recipe: our files, the base and the agents together are hashed, and
 * the hash names the image.
 */

export interface AgentImage {
  /** `alfred-agent:<12 of the recipe's hash>` */
  readonly tag: string
  readonly digest: string
  readonly sizeBytes: number
  /** What it stands on: `node:24-bookworm-slim`, `collected`, `debootstrap`, or the project's own. */
  readonly base: string
  readonly recipeSha256: string
}

export type ImageError =
  | { readonly type: 'docker_unreachable'; readonly message: string }
  /** `step` in words; `message` says what to do where that is known. */
  | { readonly type: 'build_failed'; readonly step: string; readonly message: string }
  | { readonly type: 'cancelled'; readonly message: string }

export interface ImageBuilder {
  /** The image that is there for this base (`AGENT_IMAGE`; null: ours); null when it must be built first. */
  find(base: string | null): Promise<Result<AgentImage | null, ImageError>>
  /** Finds or builds. Two calls at once make one build; it ends when the last caller aborts. */
  ensure(
    base: string | null,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, ImageError>>
}

export interface ImageBuilderOptions {
  readonly runtime: ContainerRuntime
  readonly recipe: AgentImageRecipe
  readonly images: ImageStore
  readonly clock: Clock
  readonly logger: Logger
  /** Agents that the recipe installs. */
  readonly agents: readonly AdapterId[]
}

export const recipeLabel = 'dev.alfred.recipe'
const baseLabel = 'dev.alfred.image-base'

interface Build {
  readonly result: Promise<Result<AgentImage, ImageError>>
  readonly listeners: Set<OnBuildProgress>
  readonly abort: AbortController
}

export function createImageBuilder(options: ImageBuilderOptions): ImageBuilder {
  const { runtime, recipe, images, clock } = options
  const builds = new Map<string, Build>()

  const hashOf = (base: string | null): Promise<string> =>
    recipe.sha256([base ?? recipe.defaultBase, ...options.agents])

  const findByHash = async (recipeSha256: string): Promise<Result<AgentImage | null, ImageError>> => {
    const tag = tagOf(recipeSha256)
    const found = await runtime.findImage(tag)
    if (!found.ok) return err(toImageError(found.error, 'looking for the image'))
    const info = found.value
    // Another image may have taken the name; the label says what is really in it.
    if (info === null || info.labels[recipeLabel] !== recipeSha256) return ok(null)
    const image = toAgentImage(info, tag, recipeSha256)
    if (images.findByRecipe(recipeSha256)?.digest !== info.digest) remember(image)
    return ok(image)
  }

  const remember = (image: AgentImage): void => {
    const row: BuiltImage = { ...image, agents: options.agents, builtAt: clock.now() }
    images.put(row)
  }

  const build = async (
    base: string | null,
    recipeSha256: string,
    report: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, ImageError>> => {
    const startedAt = clock.monotonic()
    const standing =
      base === null
        ? await ownBase(options, recipeSha256, report, signal)
        : await givenBase(options, base, report, signal)
    if (!standing.ok) return standing
    const needsNode = base !== null && !(await hasNode(runtime, standing.value.reference))
    let tools: string | null = null
    if (needsNode) {
      const own = await ensure(null, report, signal)
      if (!own.ok) return own
      tools = own.value.tag
    }
    const tag = tagOf(recipeSha256)
    const built = await runtime.buildImage(
      {
        files: tools === null ? recipe.files : recipe.derivedFiles,
        tag,
        buildArguments: { BASE: standing.value.reference, ...(tools === null ? {} : { TOOLS: tools }) },
        labels: { [recipeLabel]: recipeSha256, [baseLabel]: standing.value.name },
        network: 'default',
      },
      report,
      signal,
    )
    if (!built.ok) return err(toImageError(built.error, 'building the agent image'))
    const image = toAgentImage(built.value, tag, recipeSha256)
    remember(image)
    options.logger.info('agent image built', {
      tag,
      base: image.base,
      sizeBytes: image.sizeBytes,
      tookMs: Math.round(clock.monotonic() - startedAt),
    })
    await removeOlder(options, image, base)
    return ok(image)
  }

  const startBuild = (base: string | null, recipeSha256: string): Build => {
    const listeners = new Set<OnBuildProgress>()
    const abort = new AbortController()
    const report: OnBuildProgress = (progress) => listeners.forEach((listener) => listener(progress))
    const result = build(base, recipeSha256, report, abort.signal).finally(() => builds.delete(recipeSha256))
    return { result, listeners, abort }
  }

  const ensure = async (
    base: string | null,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, ImageError>> => {
    const recipeSha256 = await hashOf(base)
    const found = await findByHash(recipeSha256)
    if (!found.ok) return found
    if (found.value !== null) return ok(found.value)
    if (signal.aborted) return err(cancelled)
    const current = builds.get(recipeSha256) ?? startBuild(base, recipeSha256)
    builds.set(recipeSha256, current)
    return joined(current, onProgress, signal)
  }

  return { find: async (base) => findByHash(await hashOf(base)), ensure }
}

/** One caller's share in a build that others may wait for too. */
async function joined(
  build: Build,
  onProgress: OnBuildProgress,
  signal: AbortSignal,
): Promise<Result<AgentImage, ImageError>> {
  // Its own function: the same listener may come twice.
  const listener: OnBuildProgress = (progress) => onProgress(progress)
  build.listeners.add(listener)
  const left = new Promise<Result<AgentImage, ImageError>>((resolve) => {
    const leave = (): void => {
      build.listeners.delete(listener)
      if (build.listeners.size === 0) build.abort.abort()
      resolve(err(cancelled))
    }
    signal.addEventListener('abort', leave, { once: true })
    void build.result.finally(() => signal.removeEventListener('abort', leave))
  })
  return Promise.race([build.result, left])
}

const cancelled: ImageError = { type: 'cancelled', message: 'building the image was stopped' }

interface Standing {
  /** What the engine calls it. */
  readonly reference: string
  /** What people call it. */
  readonly name: string
}

async function givenBase(
  { runtime }: ImageBuilderOptions,
  base: string,
  report: OnBuildProgress,
  signal: AbortSignal,
): Promise<Result<Standing, ImageError>> {
  const found = await runtime.findImage(base)
  if (!found.ok) return err(toImageError(found.error, 'looking for the base image'))
  if (found.value !== null) return ok({ reference: base, name: base })
  const pulled = await runtime.pullImage(base, report, signal)
  return pulled.ok ? ok({ reference: base, name: base }) : err(toImageError(pulled.error, `pulling ${base}`))
}

/** Our base: pulled where a registry can be reached, else made on this computer. */
async function ownBase(
  options: ImageBuilderOptions,
  recipeSha256: string,
  report: OnBuildProgress,
  signal: AbortSignal,
): Promise<Result<Standing, ImageError>> {
  const { recipe, logger } = options
  const given = await givenBase(options, recipe.defaultBase, report, signal)
  if (given.ok || given.error.type !== 'build_failed') return given
  logger.info('the base image cannot be pulled; making one here', { reason: given.error.message })
  const reasons = [given.error.message]
  for (const maker of recipe.baseMakers) {
    if (signal.aborted) return err(cancelled)
    const made = await makeBase(options, maker, recipeSha256, report, signal)
    if (made.ok) return made
    if (made.error.type !== 'build_failed') return made
    reasons.push(`${maker.about}: ${made.error.message}`)
  }
  return err({ type: 'build_failed', step: 'getting a base image', message: reasons.join('; ') })
}

async function makeBase(
  options: ImageBuilderOptions,
  maker: BaseMaker,
  recipeSha256: string,
  report: OnBuildProgress,
  signal: AbortSignal,
): Promise<Result<Standing, ImageError>> {
  const { runtime } = options
  const engine = await runtime.info()
  if (!engine.ok) return err(toImageError(engine.error, 'asking the engine'))
  const obstacle = await maker.obstacle(engine.value)
  if (obstacle !== null) return err({ type: 'build_failed', step: maker.about, message: obstacle })
  report({ step: 'no registry can be reached', fraction: null, detail: `making ${maker.about}` })
  const made = await maker.make(report, signal)
  if (!made.ok)
    return err(
      made.error.type === 'aborted'
        ? cancelled
        : { type: 'build_failed', step: maker.about, message: made.error.message },
    )
  const tag = baseTagOf(maker.name, recipeSha256)
  try {
    const imported = await runtime.importImage(
      { tar: made.value.tar, tag, changes: made.value.changes },
      signal,
    )
    return imported.ok
      ? ok({ reference: tag, name: maker.name })
      : err(toImageError(imported.error, 'importing the base'))
  } finally {
    await made.value.dispose()
  }
}

async function hasNode(runtime: ContainerRuntime, base: string): Promise<boolean> {
  const ran = await runtime.runOnce(base, ['node', '--version'], 20_000)
  const major =
    ran.ok && ran.value.exitCode === 0 ? Number(/^v(\d+)\./.exec(ran.value.stdout.trim())?.[1] ?? 0) : 0
  return major >= oldestNode
}

/** The demo agent needs no newer one. */
const oldestNode = 18

/**
 * Images of other recipes for the same base, which nobody asks for any more. Only those that this data folder knows:
 * another installation may build its own beside it. One that a container uses stays until the next build.
 */
async function removeOlder(
  { runtime, recipe, images, logger }: ImageBuilderOptions,
  built: AgentImage,
  base: string | null,
): Promise<void> {
  const bases = base === null ? [recipe.defaultBase, ...recipe.baseMakers.map(({ name }) => name)] : [base]
  const older = images
    .list()
    .filter((row) => row.recipeSha256 !== built.recipeSha256 && bases.includes(row.base))
  for (const row of older) {
    const found = await runtime.findImage(row.tag)
    if (!found.ok) return
    // The name may mean another image by now.
    if (found.value?.labels[recipeLabel] === row.recipeSha256) {
      const removed = await runtime.removeImage(row.tag)
      if (!removed.ok || !removed.value) continue
      await runtime.removeImage(baseTagOf(row.base, row.recipeSha256))
      logger.info('older agent image removed', { tag: row.tag })
    }
    images.remove(row.digest)
  }
}

const baseTagOf = (maker: string, recipeSha256: string): string =>
  `alfred-base:${maker}-${recipeSha256.slice(0, 12)}`

const tagOf = (recipeSha256: string): string => `alfred-agent:${recipeSha256.slice(0, 12)}`

const toAgentImage = (info: ImageInfo, tag: string, recipeSha256: string): AgentImage => ({
  tag,
  digest: info.digest,
  sizeBytes: info.sizeBytes,
  base: info.labels[baseLabel] ?? 'unknown',
  recipeSha256,
})

function toImageError(error: ContainerError, step: string): ImageError {
  switch (error.type) {
    case 'unreachable':
    case 'not_permitted':
    case 'api_too_old':
      return { type: 'docker_unreachable', message: error.message }
    case 'aborted':
      return cancelled
    default:
      return { type: 'build_failed', step, message: error.message }
  }
}
