import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cliPackages, packageReference } from '@main/core/agents/image-clis'
import { pulledBase } from '@main/core/agents/image-of-runs'
import type { AgentImageRecipe } from '@main/ports/agent-image'
import type { ContextFile } from '@main/ports/container-runtime'
import { createCollectedBase } from './collected-base'
import { createDebootstrapBase } from './debootstrap-base'
import { nodeRegistry } from './node-registry'

const demoAgentFiles = ['alfred-demo-agent.mjs', 'faults.mjs', 'features.mjs', 'session.mjs', 'work.mjs']

/** `resourcesFolder` is the app's `resources`, with real files. */
export function createAgentImageRecipe(resourcesFolder: string): AgentImageRecipe {
  const imageFile = (path: string, name = path): ContextFile => ({
    path,
    source: join(resourcesFolder, 'agent-image', name),
    executable: false,
  })
  const shared: readonly ContextFile[] = [
    imageFile('prepare-image.sh'),
    ...demoAgentFiles.map((name) => ({
      path: `demo-agent/${name}`,
      source: join(resourcesFolder, 'demo-agent', name),
      executable: false,
    })),
  ]
  const files = [imageFile('Dockerfile'), ...shared]
  const cliFiles = [imageFile('Dockerfile', 'Dockerfile.clis'), imageFile('install-clis.sh')]
  const derivedFiles = [imageFile('Dockerfile', 'Dockerfile.derived'), imageFile('gather-node.sh'), ...shared]
  return {
    defaultBase: pulledBase,
    baseMakers: [
      createCollectedBase(join(resourcesFolder, 'agent-image', 'collected-programs.txt')),
      createDebootstrapBase(),
    ],
    files,
    derivedFiles,
    cliContext: async (clis) => {
      const { registry, proxy, certificates } = await nodeRegistry()
      const packages = clis.map((cli) => cliPackages[cli])
      return {
        files:
          certificates === null
            ? cliFiles
            : [...cliFiles, { path: 'host-certificates.pem', source: certificates, executable: false }],
        buildArguments: {
          PACKAGES: packages.map(packageReference).join(' '),
          PROGRAMS: packages.map(({ program }) => program).join(' '),
          REGISTRY: registry ?? '',
          PROXY: proxy ?? '',
        },
      }
    },
    sha256: async (words) => {
      const hash = createHash('sha256')
      for (const file of [...files, ...derivedFiles, ...cliFiles, imageFile('collected-programs.txt')]) {
        hash
          .update(`${file.path}\0`)
          .update(await readFile(file.source))
          .update('\0')
      }
      return hash.update(JSON.stringify(words)).digest('hex')
    },
  }
}
