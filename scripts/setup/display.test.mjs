import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { whyNoDisplay } from './display.mjs'

let folder
let server

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'alfred-display-'))
  server = net.createServer((socket) => socket.end())
})

afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const listening = (...where) => new Promise((resolve) => server.listen(...where, resolve))

it.runIf(process.platform === 'linux')('says that none is named', async () => {
  expect(await whyNoDisplay({ DISPLAY: '' })).toBe('DISPLAY and WAYLAND_DISPLAY are not set')
})

it.runIf(process.platform === 'linux')('takes a Wayland display that answers', async () => {
  await listening(path.join(folder, 'wayland-1'))
  expect(await whyNoDisplay({ WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: folder })).toBeUndefined()
  expect(await whyNoDisplay({ WAYLAND_DISPLAY: 'wayland-2', XDG_RUNTIME_DIR: folder })).toBe(
    'nothing answers at wayland-2, which WAYLAND_DISPLAY names',
  )
})

it.runIf(process.platform === 'linux')('takes an X server that answers, by TCP', async () => {
  await listening(0, '127.0.0.1')
  const number = server.address().port - 6000
  expect(await whyNoDisplay({ DISPLAY: `127.0.0.1:${number}.0` })).toBeUndefined()
  await new Promise((resolve) => server.close(resolve))
  expect(await whyNoDisplay({ DISPLAY: `127.0.0.1:${number}.0` })).toBe(
    `nothing answers at 127.0.0.1:${number}.0, which DISPLAY names`,
  )
})

it.runIf(process.platform === 'linux')('finds out whether a display of this computer is gone', async () => {
  // as far as numbers go: no X server counts that high
  const number = 2_000_000 + process.pid
  const display = `:${number}`
  expect(await whyNoDisplay({ DISPLAY: display })).toBe(`nothing answers at ${display}, which DISPLAY names`)
  await listening(`\0/tmp/.X11-unix/X${number}`)
  expect(await whyNoDisplay({ DISPLAY: display })).toBeUndefined()
})
