import { describe, expect, it } from 'vitest'
import { chosenDataFolder, dataFolder } from './data-folder'

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

describe('a data folder that was chosen', () => {
  const chosen = (platform: NodeJS.Platform, env: Record<string, string>) =>
    chosenDataFolder({ platform, env }, '/home/n')

  it('is named, since another process may not know of it', () => {
    expect(chosen('linux', { ALFRED_HOME: '/data/a' })).toBe('/data/a')
    expect(chosen('linux', { XDG_DATA_HOME: '/x' })).toBe('/x/alfred')
  })

  it('is none where the system decides', () => {
    expect(chosen('linux', {})).toBeNull()
    expect(chosen('linux', { ALFRED_HOME: '/home/n/.local/share/alfred' })).toBeNull()
    expect(chosen('win32', { LOCALAPPDATA: '/local' })).toBeNull()
  })
})
