import { imageCliSchema, type AdapterId, type ImageCli } from '@shared/model/words'

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
  codex: { name: '@openai/codex', version: '0.171.0', program: 'codex' },
  opencode: { name: 'opencode-ai', version: '1.18.33', program: 'opencode' },
  copilot: { name: '@github/copilot', version: '1.0.102', program: 'copilot' },
  'grok-build': { name: '@xai-official/grok', version: '1.0.41', program: 'grok' },
}

/** `name@version`, as the package manager takes it. */
export const packageReference = ({ name, version }: CliPackage): string => `${name}@${version}`

/** The line of a Dockerfile that installs the version of a CLI that is verified; null where no package has it. */
export const pinLine = (adapter: AdapterId): string | null => {
  const cli = imageCliSchema.safeParse(adapter)
  return cli.success ? `RUN npm install --global ${packageReference(cliPackages[cli.data])}` : null
}
