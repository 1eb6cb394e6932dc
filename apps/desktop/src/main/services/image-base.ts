import { err, ok, type Result } from '@shared/result'
import type { AgentImageRecipe, BaseMaker } from '@main/ports/agent-image'
import type { Clock } from '@main/ports/clock'
import type { ContainerError, ContainerRuntime, OnBuildProgress } from '@main/ports/container-runtime'
import type { Logger } from '@main/ports/logger'

/*
 * What an agent image stands on: a base that is there or pulled, or one that is made on this computer.
 */

export type ImageError =
  | { readonly type: 'docker_unreachable'; readonly message: string }
  /** `step` in words; `message` says what to do where that is known. */
  | { readonly type: 'build_failed'; readonly step: string; readonly message: string }
  | { readonly type: 'cancelled'; readonly message: string }

interface BaseParts {
  readonly runtime: ContainerRuntime
  readonly recipe: AgentImageRecipe
  readonly logger: Logger
}

export interface Standing {
  /** What the engine calls it. */
  readonly reference: string
  /** What people call it. */
  readonly name: string
}

export async function givenBase(
  { runtime }: BaseParts,
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
export async function ownBase(
  options: BaseParts,
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
  options: BaseParts,
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

export async function hasNode(runtime: ContainerRuntime, base: string): Promise<boolean> {
  const ran = await runtime.runOnce(base, ['node', '--version'], 20_000)
  const major =
    ran.ok && ran.value.exitCode === 0 ? Number(/^v(\d+)\./.exec(ran.value.stdout.trim())?.[1] ?? 0) : 0
  return major >= oldestNode
}

/** The demo agent needs no newer one. */
const oldestNode = 18

export const cancelled: ImageError = { type: 'cancelled', message: 'building the image was stopped' }

export const baseTagOf = (maker: string, recipeSha256: string): string =>
  `alfred-base:${maker}-${recipeSha256.slice(0, 12)}`

/** How long an engine that ends still answers after it has ended its builds, and how often it is asked. */
const endingMs = 3_000
const askAgainMs = 250

/**
 * The failure, or that the engine is away: one that is told to end ends its builds and pulls first, which reads like a
 * failure of theirs, and is gone a moment later.
 */
export async function unlessEngineEnded(
  { runtime, clock }: Pick<BaseParts, 'runtime'> & { readonly clock: Clock },
  failed: ImageError,
  signal: AbortSignal,
): Promise<ImageError> {
  if (failed.type !== 'build_failed') return failed
  for (let left = endingMs; left > 0 && !signal.aborted; left -= askAgainMs) {
    const engine = await runtime.info()
    if (!engine.ok) return toImageError(engine.error, failed.step)
    await clock.sleep(askAgainMs, signal)
  }
  return failed
}

export function toImageError(error: ContainerError, step: string): ImageError {
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
