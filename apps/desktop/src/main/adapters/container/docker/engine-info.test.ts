import { describe, expect, it } from 'vitest'
import { toEngineInfo, type EngineFigures } from './engine-info'

const infoOf = (figures: EngineFigures) =>
  toEngineInfo(
    { url: 'unix:///run/user/1000/docker.sock', source: 'context', tls: null },
    { Version: '27.3.1', ApiVersion: '1.47' },
    figures,
  )

describe('what is known of an engine', () => {
  it('is where it was found, its version, and what its computer has', () => {
    const figures = { NCPU: 8, MemTotal: 16_000_000_000, Architecture: 'x86_64', OSType: 'linux' }
    expect(
      infoOf({ ...figures, SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'] }),
    ).toEqual({
      endpoint: 'unix:///run/user/1000/docker.sock',
      source: 'context',
      version: '27.3.1',
      apiVersion: '1.47',
      architecture: 'x86_64',
      operatingSystem: 'linux',
      rootless: false,
      userRemapped: false,
      cpus: 8,
      memoryBytes: 16_000_000_000,
    })
  })

  it.each([
    ['a rootless one', ['name=seccomp,profile=builtin', 'name=rootless', 'name=cgroupns'], true, false],
    ['one that remaps users', ['name=apparmor', 'name=userns'], false, true],
    ['one that tells no security options', null, false, false],
    [
      'one whose profile only sounds like it',
      ['name=seccomp,profile=/etc/rootless-userns.json'],
      false,
      false,
    ],
  ])('says whose users are inside: %s', (_what, SecurityOptions, rootless, userRemapped) => {
    expect(infoOf({ SecurityOptions })).toMatchObject({ rootless, userRemapped })
  })

  it('is the least that can be meant where the engine is silent about it', () => {
    expect(infoOf({})).toMatchObject({
      architecture: 'unknown',
      operatingSystem: 'linux',
      cpus: 1,
      memoryBytes: 0,
    })
  })
})
