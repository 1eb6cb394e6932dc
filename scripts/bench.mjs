// npm run bench: builds the app and the benchmarks and runs them. Arguments go to the benchmarks (--json, --only).
import fs from 'node:fs'
import { buildTestProgram } from './setup/test-program.mjs'
import { findProgram, runInForeground } from './setup/commands.mjs'
import { startXvfb, whyNoDisplay } from './setup/display.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { usageOnHelp } from './setup/usage.mjs'

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
  process.exit(await runBenches(ready, await buildTestProgram('bench', 'benchmarks')))
} catch (error) {
  endWith(error)
}

async function runBenches({ electron, env }, program) {
  const hasNone = (await whyNoDisplay()) !== undefined
  const xvfb = hasNone && findProgram('Xvfb') ? await startXvfb() : undefined
  try {
    return await runInForeground(process.execPath, [program, ...process.argv.slice(2)], {
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
