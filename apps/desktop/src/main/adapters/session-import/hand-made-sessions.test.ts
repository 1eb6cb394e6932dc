import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import { createClaudeCodeAdapter } from '../agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '../agents/codex/codex-adapter'
import { createCopilotAdapter } from '../agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '../agents/grok-build/grok-build-adapter'
import { createHandMadeSessions, removeLeftCopies } from './hand-made-sessions'

const id = '5d013b97-e3d5-4c50-bd32-62d9d0abbc91'
const otherId = '01a22b94-5d4c-78c2-aafc-146cdd216e99'
const claude = createClaudeCodeAdapter()
const nativeBinding = findNativeBinding(process.env, undefined)
const user = { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 }

let folder: string
let home: string
let state: string
let staging: string
let sessions: ReturnType<typeof createHandMadeSessions>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-hand-made-'))
  home = join(folder, 'home')
  state = join(folder, 'state')
  staging = join(folder, 'staging')
  await mkdir(home)
  await mkdir(state)
  sessions = createHandMadeSessions({ stagingFolder: staging, nativeBinding })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, records: readonly (object | string)[]): Promise<string> {
  const file = join(home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(
    file,
    records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
  )
  return file
}

const claudeFile = (name = id): string => `.claude/projects/-home-me-shop/${name}.jsonl`
const said = (content: string) => ({
  type: 'user',
  sessionId: id,
  cwd: '/home/me/shop',
  message: { content },
})

const found = async (adapter: AgentAdapter = claude, where = home, only: string | null = null) => {
  const result = await sessions.find(adapter, where, only)
  if (!result.ok) throw new Error(result.error.message)
  return result.value.sessions
}

async function copied(adapter: AgentAdapter, fromId = id, toId = fromId) {
  const staged = await sessions.stage({ adapter, folder: home, fromId, toId, user })
  if (!staged.ok) return staged.error
  const inTheWay = staged.value.place(state)
  await staged.value.discard()
  return { inTheWay, recordsLeftOut: staged.value.recordsLeftOut }
}

const linesOf = async (path: string): Promise<unknown[]> =>
  (await readFile(join(state, path), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))

describe('sessions made by hand', () => {
  it('are told with title, folder, size and age, the newest first', async () => {
    const older = await put(claudeFile(), [
      said('Fix the till'),
      { type: 'custom-title', customTitle: 'The till' },
    ])
    await put(claudeFile(otherId), [
      said('<command-name>/clear</command-name>'),
      said('Paint  the\u001b[31m harbour'),
    ])
    await utimes(older, 1000, 1000)
    expect(await found()).toEqual([
      {
        nativeId: otherId,
        title: expect.stringContaining('Paint the') as string,
        workedIn: '/home/me/shop',
        bytes: expect.any(Number) as number,
        savedAt: expect.any(Number) as number,
        isTooLarge: false,
        lacks: null,
      },
      expect.objectContaining({
        nativeId: id,
        title: 'The till',
        savedAt: 1_000_000,
        bytes: (await stat(older)).size,
      }),
    ])
    expect((await found())[0]?.title).not.toContain('\u001b')
  })

  it.each(['.claude/projects', '.claude', ''])('are found from the folder %s of a home', async (picked) => {
    await put(claudeFile(), [said('Fix the till')])
    expect(await found(claude, join(home, picked))).toHaveLength(1)
  })

  it('are only looked for where the CLI keeps them', async () => {
    await put(`code/-x/${id}.jsonl`, [said('not a session')])
    await put(`.claude/projects/-x/deeper/${id}.jsonl`, [said('not a session')])
    await put('.claude/projects/-x/notes.jsonl', [said('not a session')])
    await put(`.claude/projects/-x/-${id}.jsonl`, [said('not a session')])
    expect(await found()).toEqual([])
  })

  it('are not read through links, wherever they lead, nor by a second name', async () => {
    const real = await put(`elsewhere/-x/${id}.jsonl`, [said('secret')])
    await mkdir(join(home, '.claude', 'projects', '-y'), { recursive: true })
    await symlink(join(home, 'elsewhere', '-x'), join(home, '.claude', 'projects', '-x'))
    await symlink(real, join(home, '.claude', 'projects', '-y', `${id}.jsonl`))
    await link(real, join(home, '.claude', 'projects', '-y', `${otherId}.jsonl`))
    expect(await found()).toEqual([])
    await rm(join(home, '.claude'), { recursive: true })
    await mkdir(join(home, '.claude'))
    await symlink(join(home, 'elsewhere'), join(home, '.claude', 'projects'))
    expect(await found()).toEqual([])
    expect(await copied(claude)).toMatchObject({ type: 'gone' })
  })

  it('may hold anything: what cannot be read is passed over', async () => {
    await put(claudeFile(), [
      '',
      'no JSON',
      '[]',
      '7',
      'null',
      '{"type":"user","message":{"content":[null,3]}}',
    ])
    await put(claudeFile(otherId), [])
    expect((await found()).map(({ title }) => title)).toEqual([null, null])
  })

  it('are too large beyond a bound, and then not copied', async () => {
    const file = await put(claudeFile(), [said('Fix the till')])
    await truncate(file, 100_000_001)
    expect(await found()).toMatchObject([{ isTooLarge: true }])
    expect(await copied(claude)).toMatchObject({ type: 'too_large' })
    expect(await readdir(state)).toEqual([])
  })

  it('are found by id among more than are listed', { timeout: 120_000 }, async () => {
    const nameOf = (number: number): string => `5d013b97-e3d5-4c50-bd32-${String(number).padStart(12, '0')}`
    for (let number = 0; number < 501; number += 1) {
      const file = await put(claudeFile(nameOf(number)), [said('Fix')])
      await utimes(file, 1000 + number, 1000 + number)
    }
    const oldest = nameOf(0)
    const listed = (await found()).map(({ nativeId }) => nativeId)
    expect(listed).toHaveLength(500)
    expect(listed).not.toContain(oldest)
    expect(await found(claude, home, oldest)).toMatchObject([{ nativeId: oldest, title: 'Fix' }])
    expect(await found(claude, home, otherId)).toEqual([])
    expect(await copied(claude, oldest)).toEqual({ inTheWay: null, recordsLeftOut: 0 })
  })

  it.each([
    ['no/such/folder', 'not_a_folder'],
    ['relative', 'not_a_folder'],
    ['file', 'not_a_folder'],
  ])('are not found in %s', async (name, type) => {
    await put('file', [])
    const where = name === 'relative' ? name : join(home, name)
    expect(await sessions.find(claude, where, null)).toMatchObject({ ok: false, error: { type } })
  })
})

describe('a copy', () => {
  it('of Claude Code lies where the CLI looks for it in /workspace, and names that folder', async () => {
    const lines = [
      '{"type":"summary","x":1.0}',
      said('Fix'),
      { ...said('More'), cwd: '/home/me/shop/src' },
      said('Out'),
    ]
    await put(claudeFile(), [...lines.slice(0, 3), { ...said('Out'), cwd: '/etc' }])
    expect(await copied(claude)).toEqual({ inTheWay: null, recordsLeftOut: 0 })
    const text = await readFile(join(state, '-workspace', `${id}.jsonl`), 'utf8')
    // What does not change is not written anew.
    expect(text.split('\n')[0]).toBe('{"type":"summary","x":1.0}')
    expect(await linesOf(`-workspace/${id}.jsonl`)).toMatchObject([
      { type: 'summary' },
      { cwd: '/workspace', sessionId: id },
      { cwd: '/workspace/src' },
      { cwd: '/workspace' },
    ])
    expect(await readdir(staging)).toEqual([])
  })

  it('of Claude Code under another id names it in every line, and leaves out what cannot be read', async () => {
    await put(claudeFile(), [
      '{"cut":',
      { ...said('Fix'), sessionId: 'of-the-one-before' },
      'garbage',
      said('More'),
    ])
    expect(await copied(claude, id, otherId)).toEqual({ inTheWay: null, recordsLeftOut: 2 })
    expect(await linesOf(`-workspace/${otherId}.jsonl`)).toMatchObject([
      { sessionId: otherId },
      { sessionId: otherId },
    ])
  })

  it('of Codex keeps its day, and names neither the folder nor the provider of before', async () => {
    const adapter = createCodexAdapter()
    const name = `2026/11/30/rollout-2026-11-30T08-31-13-${id}.jsonl`
    await put(`.codex/sessions/${name}`, [
      {
        type: 'session_meta',
        payload: {
          id,
          session_id: id,
          cwd: '/home/me/shop',
          model_provider: 'mine',
          runtime_workspace_roots: ['/home/me/shop'],
        },
      },
      {
        type: 'event_msg',
        payload: { type: 'thread_settings_applied', thread_settings: { model_provider_id: 'mine' } },
      },
      { type: 'response_item', payload: { role: 'user', content: [{ text: '<environment_context>' }] } },
      { type: 'response_item', payload: { role: 'user', content: [{ text: 'Fix the till' }] } },
    ])
    expect(await found(adapter)).toMatchObject([
      { nativeId: id, title: 'Fix the till', workedIn: '/home/me/shop' },
    ])
    await copied(adapter, id, otherId)
    const text = await readFile(join(state, name.replace(id, otherId)), 'utf8')
    expect(text).not.toMatch(/mine|\/home\/me/)
    expect(text).not.toContain(id)
    expect(text).toContain('"runtime_workspace_roots":["/workspace"]')
  })

  it('of Copilot is its events alone', async () => {
    const adapter = createCopilotAdapter()
    const start = {
      type: 'session.start',
      data: { sessionId: id, context: { cwd: '/home/me/shop', gitRoot: '/home/me' } },
    }
    await put(`.copilot/session-state/${id}/events.jsonl`, [
      start,
      { type: 'user.message', data: { content: 'Fix' } },
    ])
    await put(`.copilot/session-state/${id}/workspace.yaml`, ['cwd: /home/me/shop'])
    expect(await found(adapter)).toMatchObject([{ title: 'Fix', workedIn: '/home/me/shop' }])
    await copied(adapter, id, otherId)
    expect(await readdir(join(state, otherId))).toEqual(['events.jsonl'])
    expect(await linesOf(`${otherId}/events.jsonl`)).toMatchObject([
      { data: { sessionId: otherId, context: { cwd: '/workspace', gitRoot: '/workspace' } } },
      {},
    ])
  })

  it('of Grok Build holds what was said and what it is', async () => {
    const adapter = createGrokBuildAdapter()
    const from = `.grok/sessions/%2Fhome%2Fme%2Fshop/${id}`
    await put(`${from}/chat_history.jsonl`, [{ type: 'user', content: [] }])
    await put(`${from}/summary.json`, [
      JSON.stringify(
        {
          info: { id, cwd: '/home/me/shop' },
          generated_title: 'The till',
          grok_home: '/home/me/.grok',
          git_root_dir: '/home/me/shop/',
        },
        null,
        2,
      ),
    ])
    await put(`${from}/system_prompt.txt`, ['not needed'])
    expect(await found(adapter)).toMatchObject([
      { nativeId: id, title: 'The till', workedIn: '/home/me/shop' },
    ])
    await copied(adapter, id, otherId)
    const to = join(state, '%2Fworkspace', otherId)
    expect((await readdir(to)).toSorted()).toEqual(['chat_history.jsonl', 'summary.json'])
    expect(await readFile(join(to, 'summary.json'), 'utf8')).not.toContain('/home/me')
    expect(JSON.parse(await readFile(join(to, 'summary.json'), 'utf8'))).toMatchObject({
      info: { id: otherId },
    })
  })

  it.each([
    ['is gone', null],
    ['is torn', '{"info":{"id":'],
  ])('of Grok Build is not made where the summary %s: it would not be opened', async (_what, summary) => {
    const adapter = createGrokBuildAdapter()
    const from = `.grok/sessions/%2Fhome%2Fme%2Fshop/${id}`
    await put(`${from}/chat_history.jsonl`, [{ type: 'user', content: [] }])
    if (summary !== null) await put(`${from}/summary.json`, [summary])
    expect(await found(adapter)).toMatchObject([{ nativeId: id, lacks: 'summary.json' }])
    expect(await copied(adapter, id, otherId)).toEqual({
      type: 'unreadable',
      message:
        'summary.json of the session is gone or cannot be read, and without it grok-build opens no session: nothing was copied.',
    })
    expect(await readdir(state)).toEqual([])
  })

  it('has no record that is longer than any CLI writes', async () => {
    await put(claudeFile(), [said('Fix'), said('x'.repeat(16_000_001)), said('More')])
    expect(await copied(claude)).toEqual({ inTheWay: null, recordsLeftOut: 1 })
    expect(await linesOf(`-workspace/${id}.jsonl`)).toHaveLength(2)
  })

  it('is not made of a session in which nothing can be read', async () => {
    await put(claudeFile(), ['garbage', '{"type":"summary"}'])
    expect(await copied(claude)).toMatchObject({ type: 'unreadable' })
    expect(await readdir(staging)).toEqual([])
  })

  it('goes through no link that an agent put into the state', async () => {
    await put(claudeFile(), [said('Fix')])
    const outside = join(folder, 'outside')
    await mkdir(outside)
    await symlink(outside, join(state, '-workspace'))
    expect(await copied(claude)).toMatchObject({
      inTheWay: expect.stringContaining('is no folder') as string,
    })
    expect(await readdir(outside)).toEqual([])
    await rm(join(state, '-workspace'))
    await mkdir(join(state, '-workspace'))
    await symlink(join(outside, 'x'), join(state, '-workspace', `${id}.jsonl`))
    expect(await copied(claude)).toMatchObject({
      inTheWay: expect.stringContaining('no plain file') as string,
    })
    expect(await readdir(outside)).toEqual([])
  })

  it('that was left by an engine that died is removed', async () => {
    await put(claudeFile(), [said('Fix')])
    const staged = await sessions.stage({ adapter: claude, folder: home, fromId: id, toId: id, user })
    expect(staged.ok).toBe(true)
    expect(await readdir(staging)).toHaveLength(1)
    await removeLeftCopies(staging)
    expect(await readdir(folder)).not.toContain('staging')
  })
})
