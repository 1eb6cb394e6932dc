import { describe, expect, it } from 'vitest'
import { waitAtEnd } from '@shared/contract/terminals'
import { err, ok } from '@shared/result'
import type { PersonTerminal } from './attach/person-terminal'
import type { CommandContext, CommandResult } from './command'
import { createOutput } from './output'
import { runCommandLine } from './run-command-line'

/** A command line in a window that closes with it: what was said until Enter was waited for, and all of it. */
async function inWindow(
  run: (context: CommandContext) => CommandResult,
  { words = ['show', `--${waitAtEnd}`], isThere = true, signal = new AbortController().signal } = {},
) {
  let said = ''
  const readAtEnter: string[] = []
  const terminal: PersonTerminal = {
    size: () => ({ columns: 80, rows: 24 }),
    open: () => undefined,
    show: () => Promise.resolve(),
    close: () => undefined,
    untilEnter: () => Promise.resolve(void readAtEnter.push(said)),
  }
  const write = (text: string): void => void (said += text)
  const code = await runCommandLine({
    words,
    program: 'alfred',
    output: createOutput(write, write),
    version: '1.0.0',
    signal,
    readInput: () => Promise.resolve(''),
    readVariable: () => null,
    terminal: isThere ? terminal : null,
    connect: () =>
      Promise.resolve(
        ok({
          invoke: () => Promise.resolve(ok(null)),
          subscribe: () => Promise.resolve(() => undefined),
          close: () => Promise.resolve(),
        }),
      ),
    restore: () => Promise.resolve(ok(null)),
    commands: [
      {
        name: 'show',
        about: 'Shows.',
        positionals: [],
        options: { [waitAtEnd]: { type: 'boolean', about: 'Waits.' } },
        needs: 'works',
        run: (context) => Promise.resolve(run(context)),
      },
    ],
  })
  return { code, readAtEnter, said }
}

const inUse = () => err({ type: 'failed', message: 'It is in use.' } as const)

describe('a window that closes with its command', () => {
  it('stays until what was said has been read', async () => {
    const failed = await inWindow(inUse)
    expect(failed.code).toBe(1)
    expect(failed.readAtEnter).toHaveLength(1)
    expect(failed.readAtEnter[0]).toMatch(/It is in use\.[^]*Press Enter to close this window\.\n$/)
    expect(await inWindow(() => ok(0))).toMatchObject({ code: 0, readAtEnter: [expect.any(String)] })
  })

  it('closes with who left by choice, and with a signal', async () => {
    const left = await inWindow(({ onLeft }) => {
      onLeft()
      return ok(0)
    })
    expect(left).toMatchObject({ code: 0, readAtEnter: [], said: '' })
    expect(await inWindow(inUse, { signal: AbortSignal.abort() })).toMatchObject({ readAtEnter: [] })
  })

  it('is not there without the option, or without a terminal', async () => {
    expect(await inWindow(inUse, { words: ['show'] })).toMatchObject({ code: 1, readAtEnter: [] })
    const piped = await inWindow(inUse, { isThere: false })
    expect(piped.said).not.toContain('Press Enter')
  })
})
