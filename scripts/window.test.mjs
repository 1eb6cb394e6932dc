import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openWindow } from './window.mjs'

const electron = { executable: '/runtime/electron' }
let told
let parts

beforeEach(() => {
  told = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(text))
  parts = {
    prepare: vi.fn(async () => ({ electron, env: { A: '1' } })),
    start: vi.fn(async () => 0),
    playDemo: vi.fn(async () => 7),
  }
})

afterEach(() => vi.restoreAllMocks())

it('opens the window and ends as it does', async () => {
  parts.start.mockResolvedValue(3)
  expect(await openWindow(['--demo'], [], parts)).toBe(3)
  const [program, args, options] = parts.start.mock.calls[0]
  expect([program, args.at(-1), options.env]).toEqual(['/runtime/electron', '--demo', { A: '1' }])
  expect(parts.playDemo).not.toHaveBeenCalled()
})

it('plays the demo without a window where there is no runtime for one', async () => {
  parts.prepare.mockResolvedValue({ electron: undefined, env: {} })
  expect(await openWindow([], ['--runner', 'host'], parts)).toBe(7)
  expect(parts.start).not.toHaveBeenCalled()
  expect(parts.playDemo).toHaveBeenCalledWith(['demo', '--runner', 'host'])
  expect(told.join('')).toContain('The demo runs without it')
})

it('does so, too, where libraries of the system are missing', async () => {
  parts.start.mockResolvedValue(127)
  expect(await openWindow([], [], parts)).toBe(7)
})
