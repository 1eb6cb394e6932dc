import { describe, expect, it } from 'vitest'
import { commandHelp, overviewHelp, parseArguments, type CommandSpec } from './usage'

const spec: CommandSpec = {
  name: 'run',
  about: 'Queues a run.',
  positionals: ['PROJECT#IID', '[NOTE...]'],
  options: {
    phase: { type: 'string', value: 'PHASE', about: 'What the run is for.' },
    fresh: { type: 'boolean', about: 'Without the memory.' },
    label: { type: 'string', multiple: true, about: 'A label.' },
  },
}

describe('the command line', () => {
  it('reads flags, texts, repeated texts and positionals', () => {
    const parsed = parseArguments(spec, [
      'a/b#3',
      'some',
      'note',
      '--phase',
      'analysis',
      '--fresh',
      '--label',
      'x',
      '--label=y',
    ])
    if (!parsed.ok) throw new Error(parsed.error.message)
    expect(parsed.value.positionals).toEqual(['a/b#3', 'some', 'note'])
    expect([parsed.value.text('phase'), parsed.value.flag('fresh'), parsed.value.texts('label')]).toEqual([
      'analysis',
      true,
      ['x', 'y'],
    ])
    expect([parsed.value.text('absent'), parsed.value.flag('absent')]).toEqual([null, false])
  })

  it('names a missing argument', () => {
    expect(parseArguments(spec, [])).toEqual({
      ok: false,
      error: { type: 'usage', message: 'PROJECT#IID is missing' },
    })
  })

  it('names an unknown option and an argument too many', () => {
    expect(parseArguments(spec, ['a', '--frsh'])).toMatchObject({
      error: { message: expect.stringContaining("'--frsh'") },
    })
    expect(parseArguments({ ...spec, positionals: ['RUN'] }, ['1', '2'])).toMatchObject({
      error: { message: 'unexpected argument: 2' },
    })
  })

  it('asks for no arguments when help is wanted', () => {
    expect(parseArguments(spec, ['--help']).ok).toBe(true)
  })

  it('writes the help from the same table', () => {
    expect(commandHelp(spec)).toContain('--phase PHASE')
    expect(overviewHelp([spec])).toContain('run PROJECT#IID [NOTE...]  Queues a run.')
  })
})
