import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMatrixBench, type MatrixBench, type MatrixIssue } from './support/matrix-bench'
import { offCases } from './support/matrix-cases'
import { replayedCli } from './support/replayed-clis'

/*
 * Login files in the place of the sessions: what is logged of it, which is that it is so, and never where they are.
 */

const name = 'claude-code'
const secretPlace = '/home/somebody/vault-of-logins/token.json'

let bench: MatrixBench
let issue: MatrixIssue
beforeAll(async () => {
  bench = await createMatrixBench([name])
  issue = await bench.newIssue(name)
})
afterAll(() => bench.remove())

const readLog = (): Promise<string> => readFile(join(bench.folder, 'logs', 'alfred.log'), 'utf8')

/** The lines that speak of it, without their time. */
async function warnings(): Promise<readonly object[]> {
  const lines = (await readLog()).split('\n').filter((line) => line.includes('overlaps'))
  return lines.map((line) => {
    const { at, ...told } = JSON.parse(line) as Record<string, unknown>
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT/)
    return told
  })
}

const warningOf = (run: number) => ({
  level: 'warn',
  message: 'a credential mount overlaps the session state: the session is not resumed',
  run,
})

describe('a credential mount that overlaps the sessions', () => {
  it('is logged once for each run that has it, and for no other run', async () => {
    const target = replayedCli(name).create().sessionStatePath ?? ''
    await bench.setting(issue, 'project', 'AGENT_CREDENTIAL_MOUNTS', [`${name}=${secretPlace}:${target}`])
    const inContainer = await bench.run(issue, 'development')
    await bench.reset(issue, 'project', 'AGENT_CREDENTIAL_MOUNTS')

    const link = offCases['a credential that a link of this computer leads to the sessions']
    await link.begin({ bench, issue, name })
    const onThisComputer = await bench.run(issue, 'development')
    await link.end({ bench, issue, name })

    const apart = await bench.run(issue, 'development')
    expect([inContainer, onThisComputer, apart].map(({ row }) => row.sessionOffReason)).toEqual([
      'credential_overlap',
      'credential_overlap',
      null,
    ])
    expect(await warnings()).toEqual([inContainer, onThisComputer].map(({ row }) => warningOf(row.runId)))
  })

  it('is told without the place of a login, here or in the container', async () => {
    const log = await readLog()
    expect(log).not.toContain('vault-of-logins')
    expect(log).not.toContain(`link-of-${name}`)
    expect(log).not.toContain(replayedCli(name).create().sessionStatePath)
  })
})
