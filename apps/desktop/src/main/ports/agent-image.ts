import type { ImageCli } from '@shared/model/words'
import type { Result } from '@shared/result'
import type { madeBases } from '@main/core/agents/image-of-runs'
import type { ContextFile, OnBuildProgress } from './container-runtime'

/*
 * Where an agent image comes from: the recipe that ships with the app, and the ways to make a base
 * where no registry can be reached.
 */

export interface RootFileSystem {
  readonly tar: NodeJS.ReadableStream
  /** Dockerfile lines for the import. */
  readonly changes: readonly string[]
  dispose(): Promise<void>
}

export interface BaseError {
  readonly type: 'not_possible' | 'failed' | 'aborted'
  readonly message: string
}

/** Makes a base image's root file system without a registry. */
export interface BaseMaker {
  readonly name: (typeof madeBases)[number]
  /** In the words of the progress line: "collecting a base from this computer". */
  readonly about: string
  /** Why it cannot be done here, in plain words; null when it can. */
  obstacle(engine: {
    readonly architecture: string
    readonly operatingSystem: string
  }): Promise<string | null>
  make(onProgress: OnBuildProgress, signal: AbortSignal): Promise<Result<RootFileSystem, BaseError>>
}

export interface BuildContext {
  readonly files: readonly ContextFile[]
  readonly buildArguments: Readonly<Record<string, string>>
}

export interface AgentImageRecipe {
  /** The base that a normal workstation pulls. */
  readonly defaultBase: string
  /** Tried in this order when the default base cannot be pulled. */
  readonly baseMakers: readonly BaseMaker[]
  /** The build's context for a base that has Node; build argument `BASE`. */
  readonly files: readonly ContextFile[]
  /** For a base without Node; build arguments `BASE` and `TOOLS`, an image to take Node from. */
  readonly derivedFiles: readonly ContextFile[]
  /**
   * The build's context that adds agent CLIs to an agent image; build arguments `BASE`, that image, and `TOOLS`, an image
   * to install them in. It holds how this computer reaches the registry of Node packages, so it is no part of the hash.
   */
  cliContext(clis: readonly ImageCli[]): Promise<BuildContext>
  /** Hash over every file of the recipe and the words given; another result means another image. */
  sha256(words: readonly string[]): Promise<string>
}
