import { err, ok, type Result } from '@shared/result'
import type { AdapterId, ImageCli } from '@shared/model/words'
import { cliPackages, packageReference } from '@main/core/agents/image-clis'
import type { AgentImageRecipe, BuildContext } from '@main/ports/agent-image'
import type { Clock } from '@main/ports/clock'
import type { ContainerRuntime, ImageInfo, OnBuildProgress } from '@main/ports/container-runtime'
import type { Logger } from '@main/ports/logger'
import type { ImageStore } from '@main/ports/stores'
import {
  baseTagOf,
  cancelled,
  givenBase,
  hasNode,
  ownBase,
  toImageError,
  unlessEngineEnded,
  type ImageError,
} from './image-base'

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
  /** Agents whose CLIs it holds because the recipe put them there. */
  readonly agents: readonly AdapterId[]
}

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
  /** Agents that every image holds. */
  readonly agents: readonly AdapterId[]
  /** Agent CLIs that are installed besides: what a person chose (`AGENT_IMAGE_CLIS`). */
  readonly clis: () => readonly ImageCli[]
}

export const recipeLabel = 'dev.alfred.recipe'
const baseLabel = 'dev.alfred.image-base'

interface Context extends BuildContext {
  /** What people call the base. */
  readonly baseName: string
}

interface Build {
  readonly result: Promise<Result<AgentImage, ImageError>>
  readonly listeners: Set<OnBuildProgress>
  readonly abort: AbortController
}

/** What an image is to hold. */
interface Wanted {
  /** `AGENT_IMAGE`; null: ours. */
  readonly base: string | null
  readonly clis: readonly ImageCli[]
}

export function createImageBuilder(options: ImageBuilderOptions): ImageBuilder {
  const { runtime, recipe, images, clock } = options
  const builds = new Map<string, Build>()

  /** The order in which a person names the CLIs makes no other image. */
  const want = (base: string | null): Wanted => ({ base, clis: [...new Set(options.clis())].toSorted() })

  const hashOf = ({ base, clis }: Wanted): Promise<string> =>
    recipe.sha256([
      base ?? recipe.defaultBase,
      ...options.agents,
      ...clis.map((cli) => packageReference(cliPackages[cli])),
    ])

  const agentsOf = ({ clis }: Wanted): readonly AdapterId[] => [...options.agents, ...clis]

  const findByHash = async (
    wanted: Wanted,
    recipeSha256: string,
  ): Promise<Result<AgentImage | null, ImageError>> => {
    const tag = tagOf(recipeSha256)
    const found = await runtime.findImage(tag)
    // Whatever keeps the engine from saying it, nothing is known about the image.
    if (!found.ok) return err({ type: 'docker_unreachable', message: found.error.message })
    const info = found.value
    // Another image may have taken the name; the label says what is really in it.
    if (info === null || info.labels[recipeLabel] !== recipeSha256) return ok(null)
    const image = toAgentImage(info, tag, recipeSha256, agentsOf(wanted))
    if (images.findByRecipe(recipeSha256)?.digest !== info.digest) remember(image)
    return ok(image)
  }

  const remember = (image: AgentImage): void => images.put({ ...image, builtAt: clock.now() })

  const build = async (
    wanted: Wanted,
    recipeSha256: string,
    report: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, ImageError>> => {
    const startedAt = clock.monotonic()
    const context =
      wanted.clis.length > 0
        ? await contextOfClis(wanted, report, signal)
        : await contextOfPlain(wanted.base, recipeSha256, report, signal)
    if (!context.ok) return context
    const { files, buildArguments, baseName } = context.value
    const tag = tagOf(recipeSha256)
    const built = await runtime.buildImage(
      {
        files,
        tag,
        buildArguments,
        labels: { [recipeLabel]: recipeSha256, [baseLabel]: baseName },
        network: 'default',
      },
      report,
      signal,
    )
    if (!built.ok) {
      const failed = toImageError(built.error, 'building the agent image')
      return err(await unlessEngineEnded(options, failed, signal))
    }
    const image = toAgentImage(built.value, tag, recipeSha256, agentsOf(wanted))
    remember(image)
    options.logger.info('agent image built', {
      tag,
      base: image.base,
      agents: image.agents.join(' '),
      sizeBytes: image.sizeBytes,
      tookMs: Math.round(clock.monotonic() - startedAt),
    })
    await removeOlder(options, image, wanted.base)
    return ok(image)
  }

  /** The image without chosen CLIs: a base and what Alfred needs in it. */
  const contextOfPlain = async (
    base: string | null,
    recipeSha256: string,
    report: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<Context, ImageError>> => {
    const standing =
      base === null
        ? await ownBase(options, recipeSha256, report, signal)
        : await givenBase(options, base, report, signal)
    if (!standing.ok) return err(await unlessEngineEnded(options, standing.error, signal))
    const { reference: BASE, name: baseName } = standing.value
    if (base === null || (await hasNode(runtime, BASE)))
      return ok({ files: recipe.files, buildArguments: { BASE }, baseName })
    const own = await ensureWanted({ base: null, clis: [] }, report, signal)
    if (!own.ok) return own
    return ok({ files: recipe.derivedFiles, buildArguments: { BASE, TOOLS: own.value.tag }, baseName })
  }

  /** The CLIs come on top of the plain image, so that images with other CLIs share all the rest. */
  const contextOfClis = async (
    { base, clis }: Wanted,
    report: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<Context, ImageError>> => {
    const plain = await ensureWanted({ base, clis: [] }, report, signal)
    if (!plain.ok) return plain
    const tools = base === null ? plain : await ensureWanted({ base: null, clis: [] }, report, signal)
    if (!tools.ok) return tools
    const { files, buildArguments } = await recipe.cliContext(clis)
    return ok({
      files,
      buildArguments: { ...buildArguments, BASE: plain.value.tag, TOOLS: tools.value.tag },
      baseName: plain.value.base,
    })
  }

  const startBuild = (wanted: Wanted, recipeSha256: string): Build => {
    const listeners = new Set<OnBuildProgress>()
    const abort = new AbortController()
    const report: OnBuildProgress = (progress) => listeners.forEach((listener) => listener(progress))
    const result = build(wanted, recipeSha256, report, abort.signal).finally(() =>
      builds.delete(recipeSha256),
    )
    return { result, listeners, abort }
  }

  const ensureWanted = async (
    wanted: Wanted,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ): Promise<Result<AgentImage, ImageError>> => {
    const recipeSha256 = await hashOf(wanted)
    const found = await findByHash(wanted, recipeSha256)
    if (!found.ok) return found
    if (found.value !== null) return ok(found.value)
    if (signal.aborted) return err(cancelled)
    const current = builds.get(recipeSha256) ?? startBuild(wanted, recipeSha256)
    builds.set(recipeSha256, current)
    return joined(current, onProgress, signal)
  }

  return {
    find: async (base) => {
      const wanted = want(base)
      return findByHash(wanted, await hashOf(wanted))
    },
    ensure: (base, onProgress, signal) => ensureWanted(want(base), onProgress, signal),
  }
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
      if (build.listeners.size > 0) return resolve(err(cancelled))
      // Who leaves last waits for its end, which writes down what was made.
      build.abort.abort()
      resolve(build.result)
    }
    signal.addEventListener('abort', leave, { once: true })
    const stay = (): void => signal.removeEventListener('abort', leave)
    build.result.then(stay, stay)
  })
  return Promise.race([build.result, left])
}

/**
 * Images of other recipes for the same base and the same agents, which nobody asks for any more. Only those that this
 * data folder knows: another installation may build its own beside it. One that a container uses stays until the next
 * build.
 */
async function removeOlder(
  { runtime, recipe, images, logger }: ImageBuilderOptions,
  built: AgentImage,
  base: string | null,
): Promise<void> {
  const bases = base === null ? [recipe.defaultBase, ...recipe.baseMakers.map(({ name }) => name)] : [base]
  const older = images
    .list()
    .filter(
      (row) =>
        row.recipeSha256 !== built.recipeSha256 &&
        bases.includes(row.base) &&
        row.agents.toSorted().join() === built.agents.toSorted().join(),
    )
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

const tagOf = (recipeSha256: string): string => `alfred-agent:${recipeSha256.slice(0, 12)}`

const toAgentImage = (
  info: ImageInfo,
  tag: string,
  recipeSha256: string,
  agents: readonly AdapterId[],
): AgentImage => ({
  tag,
  digest: info.digest,
  sizeBytes: info.sizeBytes,
  base: info.labels[baseLabel] ?? 'unknown',
  recipeSha256,
  agents,
})
