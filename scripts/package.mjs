// npm run package: packages for this platform, on the official runtime only.
// npm run package -- --test: an unreleased, marked, unpacked app, on whichever runtime there is.
import path from 'node:path'
import { runInForeground } from './setup/commands.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir, requireFromApp } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith, say } from './setup/steps.mjs'
import { refuseUnknown, usageOnHelp } from './setup/usage.mjs'

const args = process.argv.slice(2)
const isTest = args.includes('--test')

usageOnHelp(`
npm run package [-- OPTIONS]

Makes the packages for this platform in apps/desktop/release, on the official runtime only.

  --test                    an unreleased, marked, unpacked app on whichever runtime there is
  --linux, --mac, --win     for this platform; names of formats may follow, as in --linux deb
  --x64, --arm64            for this processor
  --dir                     unpacked only
  --help                    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  refuseUnknown(args, ['--test', '--linux', '--mac', '--win', '--x64', '--arm64', '--dir'])
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
