// The tools need a current Node. Where the machine's is older, a pinned one is fetched and the script starts again on it.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInForeground } from './commands.mjs'
import { fetchPinned } from './pinned-package.mjs'
import { cacheDir, oldestToolingNode, pinnedNode, root } from './places.mjs'
import { endWith, step, StepError } from './steps.mjs'

const isCurrent = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return (
    major > oldestToolingNode.major || (major === oldestToolingNode.major && minor >= oldestToolingNode.minor)
  )
}

/**
 * Returns when the running Node is new enough, with it and the project's tools first on PATH.
 * Else runs `scriptUrl` on the pinned one and ends with its exit code.
 */
export async function onToolingNode(scriptUrl) {
  if (isCurrent()) {
    if (process.env.ALFRED_TOOLING_NODE !== process.version) {
      await step('Node 24', { find: async () => ({ note: `this machine's ${process.version}` }) })
    }
    putOnPath(path.dirname(process.execPath))
    return
  }
  try {
    const node = path.join(await ensurePinnedNode(), 'bin', 'node')
    putOnPath(path.dirname(node))
    const env = { ...process.env, ALFRED_TOOLING_NODE: `v${pinnedNode.version}` }
    process.exit(await runInForeground(node, [fileURLToPath(scriptUrl), ...process.argv.slice(2)], { env }))
  } catch (error) {
    endWith(error)
  }
}

/** The folder of the pinned Node (`bin`, `include`). */
async function ensurePinnedNode() {
  if (pinnedNode === undefined) {
    throw new StepError(
      `Node ${oldestToolingNode.major}.${oldestToolingNode.minor} or newer is needed, this is ${process.version}`,
      'install Node 24, for example from your package manager or with a version manager, and start again',
    )
  }
  const { name, version } = pinnedNode
  const folder = path.join(cacheDir, `node-${version}`, 'node_modules', name)
  await step('Node 24', {
    find: async () => (fs.existsSync(path.join(folder, 'bin', 'node')) ? { note: version } : undefined),
    doing: `this machine has ${process.version}; fetching ${name} ${version} (190 MB) into ${cacheDir}`,
    make: async () => {
      await fetchPinned(pinnedNode, folder)
      return { note: version }
    },
  })
  return folder
}

/** A folder with `include/node`, for compiling native code. */
export async function nodeHeaders() {
  const own = path.resolve(path.dirname(fs.realpathSync(process.execPath)), '..')
  const has = (folder) => fs.existsSync(path.join(folder, 'include', 'node', 'node_api.h'))
  return [own, '/usr'].find(has) ?? ensurePinnedNode()
}

function putOnPath(nodeBin) {
  const tools = path.join(root, 'node_modules', '.bin')
  process.env.PATH = [nodeBin, tools, process.env.PATH ?? ''].join(path.delimiter)
}
