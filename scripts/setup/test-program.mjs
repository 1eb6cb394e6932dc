// Programs that lie among the tests, since they use the tests' support: bundled, with the app's aliases and SQL files.
import path from 'node:path'
import { appDir, outDir, requireFromApp } from './places.mjs'
import { step } from './steps.mjs'

/** Bundles `test/{folder}/main.ts`; `title` names the step. Returns the file to run. */
export async function buildTestProgram(folder, title) {
  // as deep as the tests' support lies, which finds the resources from where it is
  const built = path.join(outDir, folder, 'program')
  await step(title, {
    find: async () => undefined,
    doing: 'building',
    make: async () => {
      const { build } = await import(requireFromApp.resolve('vite').replace(/index\.cjs$/, 'index.js'))
      const alias = Object.fromEntries(
        ['shared', 'main', 'renderer'].map((name) => [`@${name}`, path.join(appDir, 'src', name)]),
      )
      await build({
        configFile: false,
        root: appDir,
        logLevel: 'silent',
        resolve: { alias },
        build: {
          ssr: path.join(appDir, 'test', folder, 'main.ts'),
          outDir: built,
          emptyOutDir: true,
          target: 'node22',
          rolldownOptions: { output: { entryFileNames: '[name].js' } },
        },
        ssr: { noExternal: true, external: ['better-sqlite3', 'dockerode', 'electron', '@playwright/test'] },
      })
      return {}
    },
  })
  return path.join(built, 'main.js')
}
