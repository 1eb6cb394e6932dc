import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { chooseSuites, refuseUnknown } from './usage.mjs'
import { StepError } from './steps.mjs'

const scripts = path.join(import.meta.dirname, '..')
const suites = [{ name: 'check' }, { name: 'unit' }]
const refusalOf = (act) => {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was refused')
}

it.each(['start', 'demo', 'bench', 'check', 'clis', 'test', 'package'])(
  'answers %s --help with its usage alone, and sets nothing up',
  (name) => {
    const told = execFileSync(process.execPath, [path.join(scripts, `${name}.mjs`), '--help'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(told).toMatch(/^npm /)
    expect(told).not.toContain('[set-up]')
  },
)

it('names the suites when one is asked for that is not there', () => {
  const refusal = refusalOf(() => chooseSuites(suites, ['unit', 'unknown']))
  expect(refusal).toBeInstanceOf(StepError)
  expect([refusal.message, refusal.todo]).toEqual([
    'there is no suite unknown',
    'name some of: check, unit; without a name all of them run',
  ])
})

it('runs the suites that are named, or all of them', () => {
  expect(chooseSuites(suites, ['unit'])).toEqual([{ name: 'unit' }])
  expect(chooseSuites(suites, [])).toEqual(suites)
})

it('leaves what is for CI to CI, unless it is named', () => {
  const clis = { name: 'clis', isForCi: true }
  const all = [...suites, clis]
  expect(chooseSuites(all, [], true)).toEqual(all)
  expect(chooseSuites(all, [], false)).toEqual(suites)
  expect(chooseSuites(all, ['clis'], false)).toEqual([clis])
})

it('refuses an option that is not known, and names those that are', () => {
  const refusal = refusalOf(() => refuseUnknown(['--test', '--tset'], ['--test', '--linux']))
  expect(refusal).toBeInstanceOf(StepError)
  expect([refusal.message, refusal.todo]).toEqual([
    'there is no option --tset',
    'use one of: --test, --linux',
  ])
})

it('lets known options and their values pass', () => {
  expect(() => refuseUnknown(['--linux', 'deb', '--arch=x64'], ['--linux', '--arch'])).not.toThrow()
})
