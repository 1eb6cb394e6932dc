import { expect, it } from 'vitest'
import { homeFiles } from './home-files'

it('gives the entry flat names and the places to put them', () =>
  expect(homeFiles({ '.x.json': '{}', '.x/y/z.json': '[]' })).toEqual({
    environment: { ALFRED_HOME_FILES: 'home-1=.x.json home-2=.x/y/z.json' },
    files: { 'home-1': '{}', 'home-2': '[]' },
  }))

it.each(['/etc/passwd', '../x', 'a/../../x', 'a b', 'a;b', '$HOME', ''])('refuses the place %j', (path) =>
  expect(() => homeFiles({ [path]: '' })).toThrow('not a plain path'),
)
