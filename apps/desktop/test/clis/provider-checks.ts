import { expect } from 'vitest'
import { countTurns, type Answer } from '../fakes/model-server/answers'
import { expectRemembered, laterPrompt, resuming, withState, type Check } from './check'

/*
 * A provider that fails is no failure of the resume: the id stays, and the next start goes on with it.
 */

const modes: Readonly<Record<string, Answer>> = {
  '401': { kind: 'status', status: 401 },
  '403': { kind: 'status', status: 403 },
  '404': { kind: 'status', status: 404 },
  '429': { kind: 'status', status: 429, retryAfterSeconds: 1 },
  '500': { kind: 'status', status: 500 },
  'connection dropped': { kind: 'drop' },
  'stream cut': { kind: 'cut' },
  'no answer': { kind: 'hang', after: 'nothing' },
  'answer hangs': { kind: 'hang', after: 'first_words' },
}

/** Some CLIs ask again for minutes; those that give up do so long before, on a busy computer too. Counted from the first request on. */
const patienceMs = 30_000

function check(name: string, answer: Answer, expected: 'refused' | null): Check {
  return {
    name: `provider: ${name}`,
    capMs: 200_000,
    ofLowest: false,
    async run(context) {
      const { sandbox, id } = await withState(context)
      context.model.play(() => answer)
      const start = await sandbox.start(resuming(id), {
        prompt: laterPrompt,
        limitMs: patienceMs,
        limitFrom: context.model.until(({ turn }) => turn !== null),
      })
      expect(context.model.turns()).not.toEqual([])
      expect(start.resumeFailure).toBe(expected)
      expect(start.proof).not.toBe('other')
      context.model.play(countTurns)
      expectRemembered(
        await sandbox.start(resuming(id), { prompt: laterPrompt, limitMs: 90_000 }),
        context.model,
      )
      if (start.hasSucceeded) return 'gets over it by itself'
      if (start.wasStopped) return `goes on trying; stopped after ${patienceMs / 1000} s`
      if (expected !== null) return `fails: ${expected}`
      return `fails: ${start.providerFailure?.type ?? 'not told apart'}`
    },
  }
}

export const providerChecks: readonly Check[] = [
  ...Object.entries(modes).map(([name, answer]) => check(name, answer, null)),
  // The first request is too long: the session cannot go on with it.
  check('context overflow', { kind: 'context_overflow' }, 'refused'),
]
