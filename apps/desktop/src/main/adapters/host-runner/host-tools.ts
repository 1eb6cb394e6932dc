import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Launchers of the agents that ship with the app, for runs without an image. Returns their folder. */
export async function ensureHostTools(folder: string, resourcesFolder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const agent = join(resourcesFolder, 'demo-agent', 'alfred-demo-agent.mjs')
  // Under the desktop app the program that runs is Electron, which is a Node when it is told so.
  const launcher = `#!/bin/sh\nELECTRON_RUN_AS_NODE=1 exec ${quoted(process.execPath)} ${quoted(agent)} "$@"\n`
  await writeFile(join(folder, 'alfred-demo-agent'), launcher, { mode: 0o755 })
  return folder
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
