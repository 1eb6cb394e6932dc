import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createTextTail } from '@main/core/stream/text-tail'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentAdapter, AgentEvent, EndedStart } from '@main/ports/agent-adapter'
import { fixturesFolder } from '../fakes/fixtures-folder'

/*
 * What real CLIs printed (test/fixtures/<adapter>), through the parser and as the classifiers see it. `cases.json` says
 * how each ended, and which session it was asked to resume.
 */

export interface Played {
  readonly events: readonly AgentEvent[]
  readonly ended: EndedStart
}

export interface RecordedSamples {
  readonly names: readonly string[]
  /** null: it was killed. */
  exitCode(name: string): number | null
  asked(name: string): string | null
  text(name: string): string
  play(name: string): Played
}

const casesSchema = z.record(
  z.string(),
  z.object({ exitCode: z.number().nullable(), asked: z.string().nullable() }),
)

export function readSamples(folderName: string, create: () => AgentAdapter): RecordedSamples {
  const folder = join(fixturesFolder, folderName)
  const read = (file: string): string => {
    const path = join(folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const cases = casesSchema.parse(JSON.parse(read('cases.json')))
  const caseOf = (name: string) => {
    const found = cases[name]
    if (found === undefined) throw new Error(`no sample ${name}`)
    return found
  }
  return {
    names: Object.keys(cases),
    exitCode: (name) => caseOf(name).exitCode,
    asked: (name) => caseOf(name).asked,
    text: (name) => read(`${name}.stream.jsonl`),
    play(name) {
      const parser = create().createParser()
      const tail = createTextTail()
      const events = read(`${name}.stream.jsonl`)
        .split('\n')
        .flatMap((line) => {
          tail.add(line)
          return parser.parse(neutraliseControls(line))
        })
      const session = events.find(({ kind }) => kind === 'session')
      const result = events.findLast(({ kind }) => kind === 'result')
      return {
        events,
        ended: {
          exitCode: caseOf(name).exitCode,
          stdoutTail: tail.text(),
          stderrTail: neutraliseControls(read(`${name}.stderr.txt`)),
          sawSession: session?.kind === 'session' ? session.nativeId : null,
          result: result?.kind === 'result' ? { succeeded: result.succeeded, text: result.text } : null,
        },
      }
    },
  }
}

/** A start that ended badly and said nothing yet. */
export const endedStart = (change: Partial<EndedStart> = {}): EndedStart => ({
  exitCode: 1,
  stdoutTail: '',
  stderrTail: '',
  sawSession: null,
  result: null,
  ...change,
})
