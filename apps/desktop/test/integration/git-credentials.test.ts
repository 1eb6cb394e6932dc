import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGit } from '@main/adapters/git/create-git'
import type { MailboxRepository } from '@main/ports/git'
import { type HttpForge, startHttpForge } from './git-http-forge'
import { createWorkshop, type Workshop } from './git-workshop'

const never = new AbortController().signal
const tlsFile = (name: string): string =>
  readFileSync(new URL(`../fixtures/forge-tls/${name}`, import.meta.url), 'utf8')
const certificate = () => ({ key: tlsFile('server.key'), cert: tlsFile('server.pem') })
const password = `p "$a'ss\\w%ör;d`

describe("the forge's token on its way to git", () => {
  let workshop: Workshop
  let forge: ReturnType<Workshop['makeForge']>
  let server: HttpForge
  let log: string
  let repository: MailboxRepository

  beforeEach(async () => {
    workshop = createWorkshop()
    forge = workshop.makeForge()
    server = await startHttpForge({ root: workshop.folder, password })
    log = join(workshop.folder, 'argv.log')
    // A git that notes its argv and configuration files before it goes on.
    const program = join(workshop.folder, 'noting-git')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec git "$@"\n`)
    chmodSync(program, 0o755)
    const opened = await createGit({
      scratchFolder: join(workshop.folder, 'scratch'),
      program,
    }).openMailboxRepository(join(workshop.folder, 'mailbox.git'))
    if (!opened.ok) throw new Error(opened.error.message)
    repository = opened.value
  })
  afterEach(async () => {
    await server.close()
    workshop.remove()
  })

  const remote = (
    origin: string,
    secret = password,
  ): { url: string; credential: { username: string; password: string } } => ({
    url: `${origin}/forge.git`,
    credential: { username: 'bot', password: secret },
  })

  it('fetches and pushes with it, whatever characters it has', async () => {
    expect(await repository.fetch(remote(server.origin), never)).toEqual({ ok: true, value: undefined })
    expect(await repository.push(remote(server.origin), 'agent/issue-1', forge.base, null, never)).toEqual({
      ok: true,
      value: undefined,
    })
    expect(workshop.git(forge.bare, ['rev-parse', 'agent/issue-1'])).toBe(forge.base)
  })

  it('goes to a host of an own authority only when that is trusted', async () => {
    const caFile = fileURLToPath(new URL('../fixtures/forge-tls/ca.pem', import.meta.url))
    const secure = await startHttpForge({ root: workshop.folder, password, tls: certificate() })
    try {
      expect(await repository.fetch(remote(secure.origin), never)).toMatchObject({
        error: { type: 'remote_unreachable' },
      })
      expect(secure.authorizations).toEqual([])
      expect(await repository.fetch({ ...remote(secure.origin), caFile }, never)).toEqual({
        ok: true,
        value: undefined,
      })
      expect(secure.authorizations).not.toEqual([])
    } finally {
      await secure.close()
    }
  })

  it('shows it in no argv, no configuration and no message', async () => {
    await repository.fetch(remote(server.origin), never)
    const wrong = await repository.fetch(remote(server.origin, 'wrong-secret-value'), never)
    expect(wrong).toMatchObject({ error: { type: 'unauthorized' } })
    expect(JSON.stringify(wrong)).not.toContain('wrong-secret')
    expect(readFileSync(log, 'utf8')).toContain('fetch')
    expect(readFileSync(log, 'utf8')).not.toContain('ss\\w')
    expect(readFileSync(join(repository.path, 'config'), 'utf8')).not.toContain('ss\\w')
  })

  it('refuses without asking when there is none', async () => {
    const fetched = await repository.fetch({ url: `${server.origin}/forge.git`, credential: null }, never)
    expect(fetched).toMatchObject({ error: { type: 'unauthorized' } })
    expect(server.authorizations).toEqual([])
  })

  it('does not follow the forge to another host with it', async () => {
    const thief = await startHttpForge({ root: workshop.folder, password: 'other' })
    const moved = await startHttpForge({ root: workshop.folder, password, redirectTo: thief.origin })
    try {
      expect(await repository.fetch(remote(moved.origin), never)).toMatchObject({ ok: false })
      expect(await repository.push(remote(moved.origin), 'x', forge.base, null, never)).toMatchObject({
        ok: false,
      })
      expect(thief.authorizations).toEqual([])
    } finally {
      await moved.close()
      await thief.close()
    }
  })

  it('sends nothing to another host that a rewritten address in the repository names', async () => {
    const thief = await startHttpForge({ root: workshop.folder, password: 'other' })
    try {
      writeFileSync(
        join(repository.path, 'config'),
        `[url "${thief.origin}/"]\n\tinsteadOf = ${server.origin}/\n`,
        { flag: 'a' },
      )
      await repository.fetch(remote(server.origin), never)
      expect(thief.authorizations).toEqual([])
    } finally {
      await thief.close()
    }
  })

  it('refuses a token with a line break, and an address with a credential in it', async () => {
    expect(await repository.fetch(remote(server.origin, 'a\nhost=evil'), never)).toMatchObject({
      error: { type: 'unauthorized' },
    })
    const inUrl = { url: server.origin.replace('http://', 'http://bot:secret@'), credential: null }
    expect(await repository.fetch(inUrl, never)).toMatchObject({ ok: false })
    expect(server.authorizations).toEqual([])
  })

  it('says that the forge does not know the repository', async () => {
    const gone = { ...remote(server.origin), url: `${server.origin}/none.git` }
    expect(await repository.fetch(gone, never)).toMatchObject({ error: { type: 'not_found' } })
  })
})
