import { describe, expect, it } from 'vitest'
import { settingScopeSchema } from '@shared/model/settings'
import { runnerOptions } from './runner-choice'

describe('the runners that are offered', () => {
  it('hold this computer for a project only, where one is asked first', () => {
    const offered = settingScopeSchema.options.map((scope) => [
      scope,
      runnerOptions(scope).map(({ value, note }) => [value, note]),
    ])
    expect(Object.fromEntries(offered)).toEqual({
      app: [['container', undefined]],
      organization: [['container', undefined]],
      project: [
        ['container', undefined],
        ['host', 'no sandbox'],
      ],
    })
  })
})
