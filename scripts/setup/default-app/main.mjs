// Stands in for Electron's own default app in the fallback runtime: `electron [switches] [-r module] <folder|file> [args]`.
// Top-level await makes Electron hold 'ready' back until the entry of the real app has run.
import { app } from 'electron'
import fs from 'node:fs'
import Module, { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { preloads, target } = readArguments(process.argv.slice(1))
if (target === undefined) {
  console.error('usage: electron [switches] <app folder or file>')
  process.exit(64)
}
try {
  await startApp(target, preloads)
} catch (error) {
  console.error('The app could not be loaded')
  console.error(error)
  process.exit(1)
}

function readArguments(args) {
  const preloads = []
  for (let i = 0; i < args.length; i++) {
    const argument = args[i]
    if (argument === '-r' || argument === '--require') preloads.push(args[++i])
    else if (argument === '-v' || argument === '--version') {
      console.log(`v${process.versions.electron}`)
      process.exit(0)
    } else if (!argument.startsWith('-')) return { preloads, target: argument }
  }
  return { preloads, target: undefined }
}

async function startApp(target, preloads) {
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true, configurable: false })
  const { folder, entry, isModule } = describeApp(path.resolve(target))
  app.setAppPath(folder)
  const requireFromApp = createRequire(pathToFileURL(path.join(folder, 'package.json')))
  for (const name of preloads) requireFromApp(name.startsWith('.') ? path.resolve(name) : name)
  if (isModule) await import(pathToFileURL(entry).href)
  else Module._load(entry, null, true)
}

function describeApp(location) {
  const isFolder = fs.statSync(location, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder)
    return { folder: path.dirname(location), entry: location, isModule: location.endsWith('.mjs') }
  const manifest = JSON.parse(fs.readFileSync(path.join(location, 'package.json'), 'utf8'))
  if (manifest.version) app.setVersion(manifest.version)
  app.setName(manifest.productName ?? manifest.name)
  app.setDesktopName(manifest.desktopName ?? `${manifest.name}.desktop`)
  const entry = path.resolve(location, manifest.main ?? 'index.js')
  return {
    folder: location,
    entry,
    isModule: entry.endsWith('.mjs') || (manifest.type === 'module' && !entry.endsWith('.cjs')),
  }
}
