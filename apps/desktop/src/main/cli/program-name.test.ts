import { describe, expect, it } from 'vitest'
import { createOutput } from './output'
import { runCommandLine } from './run-command-line'

const run = async (program: string, ...words: readonly string[]) => {
  const out: string[] = []
  const problems: string[] = []
  await runCommandLine({
    words,
    program,
    output: createOutput(
      (text) => out.push(text),
      (text) => problems.push(text),
    ),
    version: '1',
    signal: new AbortController().signal,
    readInput: () => Promise.resolve(''),
    readVariable: () => null,
    restore: () => Promise.resolve({ ok: true, value: null }),
    connect: () =>
      Promise.resolve({
        ok: false,
        error: { type: 'failed', message: '"alfred issue assign a/b#1 alfred" assigns it to Alfred' },
      }),
  })
  return { out: out.join(''), problems: problems.join('') }
}

describe('advice that names the command', () => {
  it('is what a person of a clone can type', async () => {
    const clone = 'npm run -s alfred --'
    expect((await run(clone, '--help')).out).toContain('npm run -s alfred -- COMMAND --help for one command')
    expect((await run(clone, 'run', '--help')).out).toContain('npm run -s alfred -- run PROJECT#IID')
    expect((await run(clone, 'run')).problems).toContain('See npm run -s alfred -- run --help.')
    expect((await run(clone, 'watch')).problems).toContain(
      '"npm run -s alfred -- issue assign a/b#1 alfred" assigns it to Alfred',
    )
  })

  it('lists the commands of a group, and the options of its list when that is named', async () => {
    const { out } = await run('alfred', 'issue', '--help')
    expect(out).toContain('alfred issue COMMAND --help for one command')
    expect(out).toMatch(/ {2}issue change PROJECT#IID +\S/)
    expect(out).not.toContain('settings')
    expect((await run('alfred', 'issue', 'list', '--help')).out).toContain('--state open|closed|all')
  })

  it('says alfred where it is installed', async () => {
    expect((await run('alfred', 'run')).problems).toContain('See alfred run --help.')
  })
})
