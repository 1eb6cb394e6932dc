import type { ImageCli } from '@shared/model/words'

/** What is installed from the registry of Node packages for an agent CLI. */
export interface CliPackage {
  readonly name: string
  /** Exact: an image of the same recipe holds the same CLI. */
  readonly version: string
  /** The program that must answer once it is installed. */
  readonly program: string
}

/** The one place where the versions of the CLIs in our images are pinned. */
export const cliPackages: Readonly<Record<ImageCli, CliPackage>> = {
  'claude-code': { name: '@anthropic-ai/claude-code', version: '2.1.332', program: 'claude' },
}

/** `name@version`, as the package manager takes it. */
export const packageReference = ({ name, version }: CliPackage): string => `${name}@${version}`
