import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheDir } from './places.mjs'
import { optionalStep, step, StepError } from './steps.mjs'

let told
let written

beforeEach(() => {
  told = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(text))
  written = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
})

afterEach(() => vi.restoreAllMocks())

const broken = {
  find: async () => undefined,
  doing: 'trying',
  make: async () => {
    throw new StepError('the disk is full', 'free some space')
  },
}

it('skips what is there and says so in one line', async () => {
  const make = vi.fn()
  await step('tools', { find: async () => ({ note: '1.0' }), doing: 'fetching', make })
  expect(make).not.toHaveBeenCalled()
  expect(told).toEqual([expect.stringMatching(/^\[set-up\] tools +ready \(1\.0\), \d+\.\d s\n$/)])
})

it('says what it does and how long it took', async () => {
  await step('tools', { find: async () => undefined, doing: 'fetching them', make: async () => ({}) })
  expect(told).toEqual([
    expect.stringContaining('fetching them ...'),
    expect.stringMatching(/done, \d+\.\d s/),
  ])
})

it('says what failed, why, and what to do', async () => {
  await expect(step('tools', broken)).rejects.toThrow(StepError)
  expect(told.join('')).toMatch(/FAILED after \d+\.\d s: the disk is full\n.*what to do: free some space/)
})

it('goes on without what is optional', async () => {
  await expect(optionalStep('tools', broken, 'nothing')).resolves.toBe('nothing')
})

it('does not take a defect for something optional', async () => {
  const defect = { ...broken, make: async () => Promise.reject(new TypeError('x is undefined')) }
  await expect(optionalStep('tools', defect)).rejects.toThrow(TypeError)
})

it('leaves standard output to the program that is started', async () => {
  await step('tools', {
    find: async () => undefined,
    doing: 'fetching',
    make: async (tell) => (tell('half'), {}),
  })
  expect(written).not.toHaveBeenCalled()
})

it.each([
  [path.join(cacheDir, 'tools'), /what to do: take away the file .*; ALFRED_CACHE names another folder\n/],
  ['/elsewhere/tools', /what to do: take away the file that is in the way, then start again\n/],
])('says what to do where the file system refuses: %s', async (file, words) => {
  const refusal = Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${file}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
    path: file,
  })
  const work = { ...broken, make: async () => Promise.reject(refusal) }
  await expect(step('tools', work)).rejects.toThrow(StepError)
  expect(told.join('')).toMatch(/FAILED after \d+\.\d s: ENOTDIR: not a directory/)
  expect(told.join('')).toMatch(words)
})
