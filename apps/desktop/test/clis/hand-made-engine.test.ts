import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import { agentImageTag, testRuntime } from '../integration/support/agent-container'
import { createClaudeBench, toldTo, type ClaudeBench } from '../integration/support/claude-bench'
import { value } from '../integration/support/engine-bench'
import { sayByHand } from './by-hand'
import { firstPrompt } from './check'
import { installedCli } from './install-cli'

/*
 * The whole engine with the real Claude Code: a session that a person made in a home of their own becomes the memory
 * of an issue that had another one, and the next run tells the model what the person said.
 */

let bench: ClaudeBench
beforeAll(async () => {
  await agentImageTag(testRuntime(), ['claude-code'])
  bench = await createClaudeBench()
})
afterAll(() => bench.remove())

it('a run of an issue resumes the session that was bound to it', { timeout: 600_000 }, async () => {
  const mailboxId = await bench.newIssue('The harbour needs paint.')
  await bench.latest(mailboxId)
  const installed = await installedCli('claude-code', cliPackages['claude-code'].version)
  const person = await sayByHand({
    cli: 'claude-code',
    installed,
    server: bench.model.url,
    prompt: firstPrompt,
  })
  try {
    const where = { mailboxId, adapter: 'claude-code', folder: person.home } as const
    const { sessions } = value(await bench.client.call('sessions', 'find', { ...where, nativeId: null }))
    expect(sessions).toMatchObject([{ workedIn: person.project, obstacle: null }])
    const nativeId = sessions[0]?.nativeId ?? ''
    const bound = value(await bench.client.call('sessions', 'import', { ...where, nativeId }))
    expect(bound).toMatchObject({ nativeId, recordsLeftOut: 0, isNext: true })

    const next = await bench.run(mailboxId, 'development')
    expect(next.row).toMatchObject({ outcome: 'succeeded', badge: 'resumed', nativeSessionId: nativeId })
    const told = toldTo(bench.model.turns().at(-1))
    expect(told).toContain(firstPrompt)
    expect(told).toContain('Phase: development')

    // Dropped, it is not gone on with: what the first run began is.
    value(await bench.client.call('sessions', 'drop', { sessionId: bound.sessionId }))
    const last = await bench.run(mailboxId, 'development')
    const [analysis] = await bench.sessions(mailboxId)
    expect(last.row).toMatchObject({ badge: 'resumed', nativeSessionId: analysis?.nativeSessionId })
    expect(toldTo(bench.model.turns().at(-1))).not.toContain(firstPrompt)
  } finally {
    await person.remove()
  }
})
