import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerSpec } from '@main/core/sandbox/container-spec'
import type { StartCommand } from '@main/ports/agent-adapter'
import { fixturesFolder } from './fixtures-folder'

/*
 * Design 5.1: what a run without sessions asks for, one golden request per adapter and one row (test/fixtures/golden).
 */

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(join(fixturesFolder, `golden/${name}-sessions-off.json`), 'utf8'))

export const goldenRequest = (name: string): GoldenRequest => golden(name) as GoldenRequest
export const goldenRow = (): object => golden('row') as object

export interface GoldenRequest {
  readonly command: StartCommand
  readonly spec: ContainerSpec
}

/** The runner's own fields: on the host a CLI that can keeps no session at all, and nothing is said of a sandbox. */
export function goldenOnHost(name: string): GoldenRequest {
  const { command, spec } = goldenRequest(name)
  const argv = (words: readonly string[]): readonly string[] => {
    if (name === 'codex') return words.toSpliced(-1, 0, '--ephemeral')
    const at = words.indexOf('--settings')
    return at < 0 ? words : words.toSpliced(at, 2, '--no-session-persistence')
  }
  const environment = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(Object.entries(variables).filter(([variable]) => variable !== 'IS_SANDBOX')),
    ...(name === 'opencode' ? { OPENCODE_DB: ':memory:' } : {}),
  })
  return {
    command: { ...command, argv: argv(command.argv), environment: environment(command.environment) },
    spec: { ...spec, argv: argv(spec.argv), environment: environment(spec.environment) },
  }
}
