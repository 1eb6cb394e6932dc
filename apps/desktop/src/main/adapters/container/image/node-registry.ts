import { homedir } from 'node:os'
import { findProgram, isReadable } from './host-programs'
import { runProgram } from './run-program'

/** How this computer reaches the registry of Node packages; null: the usual way. */
export interface NodeRegistry {
  /** Its address. */
  readonly registry: string | null
  readonly proxy: string | null
  /** File with the certificates that this computer trusts beside the usual ones. */
  readonly certificates: string | null
}

/** Read anew each time: a person may change npm's settings to make a failed build work. */
export async function nodeRegistry(): Promise<NodeRegistry> {
  const npm = await findProgram('npm')
  // In the home folder: elsewhere npm would follow a project's settings, or refuse to work in its workspaces.
  const told =
    npm === null
      ? ''
      : (await runProgram([npm, 'config', 'get', ...settings], { environment: quiet, folder: homedir() }))
          .stdout
  const values = parseNpmConfig(told)
  const bundles = [process.env['NODE_EXTRA_CA_CERTS'], values.get('cafile'), process.env['SSL_CERT_FILE']]
  return {
    registry: values.get('registry') ?? null,
    proxy: values.get('https-proxy') ?? null,
    certificates: await firstReadable(bundles),
  }
}

const settings = ['registry', 'https-proxy', 'cafile']
const quiet = { npm_config_update_notifier: 'false' }

/** `key=value` lines; what npm calls null, undefined or empty is left out. */
export function parseNpmConfig(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^([a-z-]+) ?= ?"?([^"]*)"?$/.exec(line.trim()) ?? []
    if (key !== '' && !['', 'null', 'undefined'].includes(value)) values.set(key, value)
  }
  return values
}

async function firstReadable(paths: readonly (string | undefined)[]): Promise<string | null> {
  for (const path of paths) if (path && (await isReadable(path))) return path
  return null
}
