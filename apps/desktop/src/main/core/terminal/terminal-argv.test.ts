import { describe, expect, it } from 'vitest'
import { templateArgv, terminalArgv, type TerminalFacts } from './terminal-argv'

const command = ['/opt/my app/alfred', 'attach', '5']
const on = (platform: NodeJS.Platform, programs: readonly string[], preferred: string | null = null) => ({
  platform,
  has: (name: string) => programs.includes(name),
  preferred,
})
const open = (facts: TerminalFacts) => terminalArgv(facts, 'It\'s "a" $(x); 🚢', command)

describe('the words that open a terminal', () => {
  it('are those of the first program that is there', () => {
    expect(open(on('linux', ['xterm', 'kitty']))).toEqual([
      'kitty',
      '--title',
      'It\'s "a" $(x); 🚢',
      '--',
      ...command,
    ])
    expect(open(on('linux', ['xterm']))).toEqual(['xterm', '-T', 'It\'s "a" $(x); 🚢', '-e', ...command])
    expect(open(on('linux', []))).toBeNull()
  })

  it('are those of the program that the person prefers, where it is there', () => {
    expect(open(on('linux', ['xterm', 'kitty'], 'xterm'))?.[0]).toBe('xterm')
    expect(open(on('linux', ['kitty'], 'xterm'))?.[0]).toBe('kitty')
  })

  it('keep each ; from the terminal of Windows', () => {
    expect(open(on('win32', ['wt.exe']))).toEqual(
      expect.arrayContaining(['--title', 'It\'s "a" $(x)\\; 🚢', '/opt/my app/alfred']),
    )
    expect(open(on('win32', []))).toEqual(['conhost.exe', ...command])
  })
})

describe('a template', () => {
  it('is split into words, and the command stays the words that it was', () => {
    expect(templateArgv('kitty --title "my agent" -- {command}', command)).toEqual({
      ok: true,
      value: ['kitty', '--title', 'my agent', '--', ...command],
    })
  })

  it.each([
    [`kitty --title="my alfred" -- {command}`, ['kitty', '--title=my alfred', '--']],
    [`"/home/o'neil/my term" -e {command}`, ["/home/o'neil/my term", '-e']],
    [`a'b c'"d e"f "" '' {command}`, ['ab cd ef', '', '']],
  ])('joins what touches: %s', (template, before) => {
    expect(templateArgv(template, command)).toEqual({ ok: true, value: [...before, ...command] })
  })

  it.each([`/home/o'neil/term {command}`, `kitty --title="my alfred -- {command}`, `kitty -- {command}"`])(
    'is refused with a quote that is alone: %s',
    (template) => {
      expect(templateArgv(template, command)).toMatchObject({
        error: expect.stringContaining('without its other one'),
      })
    },
  )

  it.each(['kitty', 'kitty --run={command}', ''])(
    'without the command as a word is refused: “%s”',
    (template) => {
      expect(templateArgv(template, command).ok).toBe(false)
    },
  )
})
