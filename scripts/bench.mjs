// npm run bench: builds the app and the benchmarks and runs them. Arguments go to the benchmarks (--json, --only).
import fs from 'node:fs'
import path from 'node:path'
import { findProgram, runInForeground } from './setup/commands.mjs'
import { hasDisplay, startXvfb } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir, outDir, requireFromApp } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith, step } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'

const entry = path.join(appDir, 'test', 'bench', 'main.ts')
// as deep as the tests' support lies, which finds the resources from where it is
const built = path.join(outDir, 'bench', 'program')

usageOnHelp(`
npm run bench [-- --json] [-- --only WORD,...]

Builds the app and the benchmarks and runs them.

  --json         the figures as JSON, alone on standard output
  --only WORD    only benchmarks whose name begins with one of these words; a wrong word tells all names
                 (overhead, ingest, stop, idle, cold-start, ...)
  --help         show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  const ready = await setUp({ electron: true, docker: true, testDisplay: true, build: true })
  await buildBenches()
  process.exit(await runBenches(ready))
} catch (error) {
  endWith(error)
}

/** Bundled, since benchmarks use the app's own modules with their aliases and SQL files. */
function buildBenches() {
  return step('benchmarks', {
    find: async () => undefined,
    doing: 'building them',
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
          ssr: entry,
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
}

async function runBenches({ electron, env }) {
  const xvfb = !hasDisplay() && findProgram('Xvfb') ? await startXvfb() : undefined
  try {
    return await runInForeground(process.execPath, [path.join(built, 'main.js'), ...process.argv.slice(2)], {
      cwd: appDir,
      env: {
        ...env,
        ...(xvfb ? { DISPLAY: xvfb.display } : {}),
        // the driver finds the runtime by this, and then holds both apps' start until it is there to drive them
        ELECTRON_OVERRIDE_DIST_PATH: electron.dist,
        ALFRED_BENCH_APP: fs.realpathSync(appDir),
      },
    })
  } finally {
    xvfb?.stop()
  }
}
