import { describe, expect, it } from 'vitest'
import { dataFolder } from './data-folder'

describe('the data folder', () => {
  it('is ALFRED_HOME where that is set', () => {
    expect(
      dataFolder({ platform: 'linux', env: { ALFRED_HOME: '/data/a', XDG_DATA_HOME: '/x' } }, '/home/n'),
    ).toBe('/data/a')
  })

  it.each([
    ['linux', {}, '/home/n/.local/share/alfred'],
    ['linux', { XDG_DATA_HOME: '/x' }, '/x/alfred'],
    ['linux', { XDG_DATA_HOME: 'relative', ALFRED_HOME: '' }, '/home/n/.local/share/alfred'],
    ['darwin', {}, '/home/n/Library/Application Support/alfred'],
  ] as const)('lies in the data folder of %s', (platform, env, folder) => {
    expect(dataFolder({ platform, env }, '/home/n')).toBe(folder)
  })
})
