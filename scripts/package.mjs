// npm run package: packages for this platform, on the official runtime only.
// npm run package -- --test: an unreleased, marked, unpacked app, on whichever runtime there is.
import path from 'node:path'
import { runInForeground } from './setup/commands.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir, requireFromApp } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith, say } from './setup/steps.mjs'

const args = process.argv.slice(2)
const isTest = args.includes('--test')

await onToolingNode(import.meta.url)
try {
  process.exit(await makePackage(args.filter((arg) => arg !== '--test')))
} catch (error) {
  endWith(error)
}

async function makePackage(builderArgs) {
  const { electron, env } = await setUp({ electron: true, officialElectronOnly: !isTest, build: true })
  const builder = path.join(path.dirname(requireFromApp.resolve('electron-builder/package.json')), 'cli.js')
  const config = isTest ? 'electron-builder.test.yml' : 'electron-builder.yml'
  const runtime =
    electron.kind === 'official'
      ? []
      : [`-c.electronDist=${electron.dist}`, `-c.electronVersion=${electron.version}`]
  const mark = `Unreleased test package on ${electron.kind} Electron ${electron.version}. Not for use, not for passing on.`
  const code = await runInForeground(
    process.execPath,
    [
      builder,
      '--publish',
      'never',
      '-c',
      config,
      ...(isTest ? ['--dir', '-c.extraMetadata.version=0.0.0-unreleased'] : []),
      ...runtime,
      ...builderArgs,
    ],
    {
      cwd: appDir,
      stdio: ['inherit', 2, 'inherit'],
      env: {
        ...env,
        ...(env.ALFRED_SQLITE_BINDING ? { ALFRED_PACKAGE_BINDING: env.ALFRED_SQLITE_BINDING } : {}),
        ...(isTest ? { ALFRED_PACKAGE_UNRELEASED: mark } : {}),
      },
    },
  )
  if (code === 0)
    say(isTest ? `${mark}\nIt is in apps/desktop/release/test.` : 'The packages are in apps/desktop/release.')
  return code
}
