import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const app = fileURLToPath(new URL('../..', import.meta.url))

export interface BundledScript {
  readonly file: string
  remove(): void
}

/**
 * Bundles a TypeScript script of the tests into one file that plain Node runs, for what only a process of its
 * own can show. Packages stay outside, so that native ones load.
 */
export async function bundleScript(source: string): Promise<BundledScript> {
  // Inside the app, so that its packages are found from there; not among the results, which a run of e2e clears.
  const cache = join(app, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'alfred-script-'))
  const name = basename(source).replace(/\.ts$/, '.mjs')
  await build({
    configFile: false,
    logLevel: 'error',
    root: app,
    resolve: { alias: { '@shared': join(app, 'src/shared'), '@main': join(app, 'src/main') } },
    build: {
      ssr: source,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  })
  return {
    file: join(folder, name),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
