import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alfredWords, createTerminalPrograms } from './terminal-programs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminals-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A program that writes down what it was started with. */
async function install(name: string, end = 'exit 0'): Promise<void> {
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" > "${folder}/said"\n${end}\n`
  await writeFile(join(folder, name), script)
  await chmod(join(folder, name), 0o755)
}
const said = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'said'), 'utf8')).split('\0').slice(0, -1)
const programs = (environment: NodeJS.ProcessEnv = {}) =>
  createTerminalPrograms({
    environment: { PATH: folder, ...environment },
    platform: 'linux',
    alfred: ['/opt/my app/alfred'],
  })
const title = 'It\'s "a" $(touch x); 🚢'

describe.skipIf(process.platform === 'win32')('a terminal program', () => {
  it('is given every word as it is', async () => {
    await install('kitty')
    expect(await programs().open(['attach', '5'], { title, template: null })).toEqual({
      ok: true,
      value: null,
    })
    expect(await said()).toEqual(['--title', title, '--', '/opt/my app/alfred', 'attach', '5'])
  })

  it('is the one that the person named', async () => {
    await install('mine')
    await install('kitty')
    const template = `${folder}/mine -x "two words" {command}`
    expect(await programs().open(['attach', '5'], { title, template })).toMatchObject({ ok: true })
    expect(await said()).toEqual(['-x', 'two words', '/opt/my app/alfred', 'attach', '5'])
  })

  it('that goes on has opened', async () => {
    await install('kitty', 'exec /bin/sleep 5')
    expect(await programs().open(['attach', '5'], { title, template: null })).toMatchObject({ ok: true })
  })

  it('that ends at once is told with what it said', async () => {
    await install('kitty', 'echo "cannot open display" >&2; exit 3')
    expect(await programs().open(['attach', '5'], { title, template: null })).toEqual({
      ok: false,
      error: 'kitty ended at once with code 3. cannot open display',
    })
  })

  it('that is not there is told', async () => {
    const wrong = { title, template: '/gone/terminal {command}' }
    expect(await programs().open(['attach', '5'], wrong)).toMatchObject({
      error: '/gone/terminal could not be started: there is no such program.',
    })
    const none = createTerminalPrograms({
      environment: { PATH: folder },
      platform: 'linux',
      alfred: ['alfred'],
    })
    expect(await none.open(['attach', '5'], { title, template: null })).toMatchObject({
      error: expect.stringContaining('TERMINAL_COMMAND'),
    })
  })
})

describe('the words for alfred', () => {
  const words = (home: string | null = null) =>
    alfredWords({ executable: join(folder, 'app'), builtFolder: '/clone/out/main', platform: 'linux', home })

  it('are the launcher beside the app, else the built file', async () => {
    expect(words()).toEqual([
      'env',
      'ELECTRON_RUN_AS_NODE=1',
      join(folder, 'app'),
      join('/clone/out/main', 'alfred.cjs'),
    ])
    await writeFile(join(folder, 'alfred'), '')
    expect(words()).toEqual([join(folder, 'alfred')])
  })

  it('name a data folder that was chosen, for terminals that a running process serves', async () => {
    expect(words('/my data')).toEqual([
      'env',
      'ALFRED_HOME=/my data',
      'ELECTRON_RUN_AS_NODE=1',
      join(folder, 'app'),
      join('/clone/out/main', 'alfred.cjs'),
    ])
    await writeFile(join(folder, 'alfred'), '')
    expect(words('/my data')).toEqual(['env', 'ALFRED_HOME=/my data', join(folder, 'alfred')])
  })
})
