/*
 * The scripted agent: a program that does what its script says, step by step. It travels with the run's input, so no
 * image has to hold it.
 */

export type FakeStep =
  /** One line on standard output; an object as JSON. `$ID` in it becomes the id of the session. */
  | { readonly print: string | Readonly<Record<string, unknown>> }
  | { readonly printError: string }
  | { readonly pauseMs: number }
  /** Runs in the workspace. */
  | { readonly shell: string }
  /** The session's file grows by a line. */
  | { readonly save: string }
  /** From here on TERM is ignored. */
  | { readonly ignoreTerm: true }
  /** From here on TERM ends it with this code, as a CLI that tidies up does. */
  | { readonly exitOnTerm: number }
  | { readonly exit: number }

export interface FakeScript {
  /** Steps of a fresh start. */
  readonly fresh: readonly FakeStep[]
  /** Steps when a session is resumed; `fresh` when left out. */
  readonly resume?: readonly FakeStep[]
}

export const fakeScriptFile = 'fake-script.json'
export const fakeProgramFile = 'fake-agent.mjs'

export const fakeProgram = `import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { 'session-id': { type: 'string' }, resume: { type: 'string' }, model: { type: 'string' } } })
const script = JSON.parse(readFileSync(new URL('./${fakeScriptFile}', import.meta.url), 'utf8'))
const id = values.resume ?? values['session-id'] ?? randomUUID()
const steps = values.resume === undefined ? script.fresh : (script.resume ?? script.fresh)
const fill = (text) => text.replaceAll('$ID', id).replaceAll('$NEW', randomUUID())
for (const step of steps) {
  if ('print' in step) process.stdout.write(fill(typeof step.print === 'string' ? step.print : JSON.stringify(step.print)) + '\\n')
  else if ('printError' in step) process.stderr.write(fill(step.printError) + '\\n')
  else if ('pauseMs' in step) await pause(step.pauseMs)
  else if ('shell' in step) execFileSync('sh', ['-c', step.shell], { stdio: ['ignore', 'inherit', 'inherit'] })
  else if ('save' in step) {
    const folder = homedir() + '/.fake/sessions'
    mkdirSync(folder, { recursive: true })
    appendFileSync(folder + '/' + id + '.jsonl', fill(step.save) + '\\n')
  } else if ('ignoreTerm' in step) process.on('SIGTERM', () => {})
  else if ('exitOnTerm' in step) process.on('SIGTERM', () => process.exit(step.exitOnTerm))
  else if ('exit' in step) process.exit(step.exit)
}
`
