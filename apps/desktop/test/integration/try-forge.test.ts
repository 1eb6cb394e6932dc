import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleScript, type BundledScript } from '../fakes/bundle-script'
import { startForgeServer, type ForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'

/*
 * npm run try:forge as a process of its own, on fake servers over HTTP with real git: what it says, and that nothing is
 * left of it, neither there nor here.
 */

/** Not as it is called here: slugs are in small letters, without a dot. */
const repository = 'acme/Shop.js'
let program: BundledScript
let forge: ForgeServer
let token: string
let personToken: string
/** Where the trial puts what it needs for a while. */
let folder: string

beforeAll(async () => {
  program = await bundleScript(fileURLToPath(new URL('../try-forge/main.ts', import.meta.url)))
})
afterAll(() => program.remove())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-try-forge-'))
})
afterEach(async () => {
  await forge.close()
  const left = readdirSync(folder, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  expect(left).toEqual([])
})

async function start(
  kind: ForgeServerKind,
  {
    botMay = 'write',
    personMay = 'write',
  }: { botMay?: 'read' | 'write'; personMay?: 'write' | 'admin' } = {},
): Promise<void> {
  forge = await startForgeServer({ kind, subPath: '/git' })
  forge.seed.user('alfred-bot')
  forge.seed.user('dev')
  forge.seed.organization('acme', { 'alfred-bot': botMay, dev: personMay })
  await forge.seed.repository(repository)
  token = forge.seed.token('alfred-bot', ['read:user', 'write:issue', 'write:repository'])
  personToken = forge.seed.token('dev')
}

interface Tried {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const givenWords = (repo = repository): readonly string[] => [
  '--url',
  forge.url,
  '--token-env',
  'BOT_TOKEN',
  '--repo',
  repo,
]

/** Runs it to its end; `onProgress` hears all that it has said so far. */
async function tryForge(
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  onProgress: (said: string, interrupt: () => void) => void = () => undefined,
): Promise<Tried> {
  const child = spawn(process.execPath, [program.file, ...words], {
    env: { ...process.env, TMPDIR: folder, BOT_TOKEN: token, PERSON_TOKEN: personToken, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
    onProgress(stderr, () => child.kill('SIGINT'))
  })
  await once(child, 'close')
  for (const secret of [token, personToken]) expect(stdout + stderr).not.toContain(secret)
  return { code: child.exitCode, stdout, stderr }
}

const rowsOf = ({ stdout }: Tried): readonly (readonly string[])[] =>
  stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/))
const row = (tried: Tried, step: string): readonly string[] =>
  rowsOf(tried).find(([name]) => name === step) ?? []

/** What may stay: issues and changes that are closed, for who may not delete them. */
function expectTidy(closed: readonly number[]): void {
  const { branches, issues, labels } = forge.seed.find(repository)
  expect([...branches.keys()]).toEqual(['main'])
  expect(labels).toEqual([])
  expect(issues.map(({ number, isOpen }) => [number, isOpen])).toEqual(
    closed.map((number) => [number, false]),
  )
}

describe.each(['gitea', 'gitea-1.26-dev', 'forgejo'] as const)('a trial on a %s', (kind) => {
  it('goes from the connection to the merge, and takes everything away', async () => {
    await start(kind, { personMay: 'admin' })
    const main = forge.seed.find(repository).branches.get('main')
    const tried = await tryForge([...givenWords(), '--person-token-env', 'PERSON_TOKEN'])
    expect(tried).toMatchObject({ code: 0 })
    expect(rowsOf(tried).map(([step, state]) => `${step} ${state}`)).toEqual(
      [
        'Docker',
        'server',
        'token',
        'repository',
        'labels',
        'base branch',
        'issue',
        'taken up',
        'analysis',
        'validation',
        'development',
        'memory',
        'change',
        'checks',
        'merge',
        'done',
        'tidy: issues',
        'tidy: branches',
        'tidy: labels',
      ].map((step) => `${step} ok`),
    )
    expect(row(tried, 'labels')).toContain('17 made')
    expect(row(tried, 'validation')[2]).toContain('set by the other person')
    expect(row(tried, 'checks')[2]).toBe('pending: status::in_ci, green: status::in_review')
    expect(row(tried, 'done')[2]).toBe('status::done, #1 is closed')
    expectTidy([])
    expect(forge.seed.find(repository).branches.get('main')).toBe(main)
  })
})

describe('a trial', () => {
  it('without another person is not validated, and leaves closed what its account may not delete', async () => {
    await start('gitea')
    const tried = await tryForge(givenWords())
    expect(tried.code).toBe(0)
    expect(row(tried, 'validation')[2]).toContain('not asked for')
    expect(row(tried, 'tidy: issues')[2]).toContain('#1 closed (only an admin may delete it)')
    expectTidy([1, 2])
  })

  it('that fails half-way says why in words, and tidies up', async () => {
    await start('forgejo')
    forge.pushRefusal = 'This file is too big.'
    const tried = await tryForge(givenWords())
    expect(tried.code).toBe(1)
    expect(row(tried, 'development')).toEqual(['development', 'FAILED', expect.stringContaining('too big')])
    expectTidy([1])
  })

  it('whose tidying fails names what it leaves behind, and takes away the rest', async () => {
    await start('gitea')
    forge.pushRefusal = 'This file is too big.'
    const isAway = { kind: 'html', status: 502 } as const
    forge.faults.add({ fault: isAway, method: 'DELETE', path: /\/branches\// })
    forge.faults.add({ fault: isAway, method: 'DELETE', path: /\/labels\/\d+$/, skip: 3, times: 1 })
    const tried = await tryForge(givenWords())
    expect(tried.code).toBe(1)
    const { branches, issues, labels } = forge.seed.find(repository)
    const left = [...branches.keys()].filter((name) => name !== 'main')
    expect(left).not.toEqual([])
    const told = (step: string): string =>
      rowsOf(tried).find(([name, state]) => name === step && state === 'left')?.[2] ?? ''
    for (const name of left) expect(told('tidy: branches')).toContain(`${name} (`)
    expect(told('tidy: branches')).toContain('502')
    expect(labels).toHaveLength(1)
    expect(told('tidy: labels')).toContain(`${labels[0]?.name} (`)
    expect(row(tried, 'tidy: labels')[2]).toBe('16 deleted')
    expect(issues.map(({ isOpen }) => isOpen)).toEqual([false])
  })

  it('that cannot look up what to tidy says under which name it is found', async () => {
    await start('forgejo')
    forge.pushRefusal = 'This file is too big.'
    forge.faults.add({ fault: { kind: 'half' }, method: 'GET', path: /\/branches\?/ })
    const tried = await tryForge(givenWords())
    expect(tried.code).toBe(1)
    const [, state, words] = row(tried, 'tidy: branches')
    const id = /all of ([0-9a-f]{6}) that is still there/.exec(words ?? '')?.[1] ?? 'none'
    expect(state).toBe('left')
    const names = [...forge.seed.find(repository).branches.keys()]
    expect(names.some((name) => name.startsWith(`alfred-trial/${id}/`))).toBe(true)
    expect(forge.seed.find(repository).labels).toEqual([])
  })

  it.each(['taken up …', 'development …'])('that is interrupted at "%s" tidies up', async (at) => {
    await start('gitea')
    let isInterrupted = false
    const tried = await tryForge(givenWords(), {}, (said, interrupt) => {
      if (isInterrupted || !said.includes(at)) return
      isInterrupted = true
      interrupt()
    })
    expect(tried.code).toBe(130)
    expect(tried.stdout).toContain('it was interrupted')
    expectTidy([1])
  })
})

describe('a trial that cannot begin says why, and writes nothing', () => {
  afterEach(() => {
    expect(forge.requests.filter(({ method, status }) => method !== 'GET' && status < 300)).toEqual([])
  })

  it.each([
    ['with a wrong token', { BOT_TOKEN: 'f'.repeat(40) }, repository, 'token', /does not accept this token/],
    ['without such a repository', {}, 'acme/nope', 'repository', /acme\/nope/],
    [
      'without Docker',
      { DOCKER_HOST: 'unix:///nowhere/docker.sock' },
      repository,
      'Docker',
      /\/nowhere\/docker\.sock/,
    ],
  ])('%s', async (_, environment, repo, step, words) => {
    await start('gitea')
    const tried = await tryForge(givenWords(repo), environment)
    expect(tried.code).toBe(1)
    expect(row(tried, step)).toEqual([step, 'FAILED', expect.stringMatching(words)])
  })

  it('without the right to write', async () => {
    await start('gitea', { botMay: 'read' })
    const tried = await tryForge(givenWords())
    expect(row(tried, 'repository')).toEqual([
      'repository',
      'FAILED',
      expect.stringMatching(/may not be written by this account/),
    ])
  })

  it('with a token that lacks a scope', async () => {
    await start('gitea')
    const weak = forge.seed.token('alfred-bot', ['read:user', 'read:issue', 'write:repository'])
    const tried = await tryForge(givenWords(), { BOT_TOKEN: weak })
    expect(row(tried, 'token')).toEqual(['token', 'FAILED', expect.stringContaining('write:issue')])
  })

  it('where other issues are assigned to its account', async () => {
    await start('gitea')
    forge.seed.issue(repository, { title: 'Real work', by: 'dev', assignees: ['alfred-bot'] })
    const tried = await tryForge(givenWords())
    expect(row(tried, 'repository')[2]).toContain('#1')
  })

  it('without what it needs to be given', async () => {
    await start('gitea')
    expect(await tryForge(['--url', forge.url])).toMatchObject({
      code: 2,
      stderr: '--token-env is missing; "npm run try:forge -- --help" shows what it takes\n',
    })
    expect(await tryForge(givenWords(), { BOT_TOKEN: '' })).toMatchObject({
      code: 2,
      stderr: 'BOT_TOKEN is not set, or empty\n',
    })
    const told = await tryForge(['--url', forge.url, '--token-env', 'a1'.repeat(20), '--repo', repository])
    expect(told).toMatchObject({ code: 2, stderr: expect.not.stringContaining('a1a1') })
  })
})
