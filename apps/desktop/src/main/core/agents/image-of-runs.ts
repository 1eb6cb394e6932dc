import type { AdapterId, ImageCli } from '@shared/model/words'
import { imageCliSchema } from '@shared/model/words'

/** The base that a normal workstation pulls. */
export const pulledBase = 'node:24-bookworm-slim'
/** Bases that are made on this computer where it cannot be pulled. */
export const madeBases = ['collected', 'debootstrap'] as const

interface KnownImage {
  readonly digest: string
  readonly base: string
  readonly agents: readonly AdapterId[]
  readonly builtAt: number
}

/** What the settings of a run say about its image. */
export interface ImageWords {
  /** null: our own base. */
  readonly AGENT_IMAGE: string | null
  readonly AGENT_IMAGE_CLIS: readonly ImageCli[]
}

/**
 * The digest of the image that runs with these settings are in, of those that were built here: the newest with this base
 * and these CLIs. null: it is not built yet.
 */
export function imageOfRuns(
  images: readonly KnownImage[],
  { AGENT_IMAGE: base, AGENT_IMAGE_CLIS: clis }: ImageWords,
): string | null {
  const bases = base === null || base === pulledBase ? [pulledBase, ...madeBases] : [base]
  const wanted = clisIn(clis)
  const fitting = images.filter((image) => bases.includes(image.base) && clisIn(image.agents) === wanted)
  return fitting.toSorted((a, b) => b.builtAt - a.builtAt)[0]?.digest ?? null
}

/** Every image holds the demo agent besides. */
const clisIn = (agents: readonly AdapterId[]): string =>
  imageCliSchema.options.filter((cli) => agents.includes(cli)).join()
