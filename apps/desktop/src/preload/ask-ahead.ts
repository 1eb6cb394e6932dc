import { firstQuestions } from '@shared/first-questions'

type Ask = (channel: string, input: unknown) => Promise<unknown>

export interface AskedAhead {
  /** The answer to the same question, once; null where it was not asked ahead. */
  take(channel: string, input: unknown): Promise<unknown> | null
  /** What nobody took by now is old. */
  drop(): void
}

/** Asks what the first picture shows while the page's own script is still read, which takes as long as the answers. */
export function askAhead(ask: Ask): AskedAhead {
  const answers = new Map<string, Promise<unknown>>()
  for (const [channel, input] of firstQuestions) {
    const answer = ask(channel, input)
    // who takes it hears of it
    answer.catch(() => undefined)
    answers.set(keyOf(channel, input), answer)
  }
  return {
    take(channel, input) {
      const key = keyOf(channel, input)
      const answer = answers.get(key) ?? null
      answers.delete(key)
      return answer
    },
    drop: () => answers.clear(),
  }
}

const keyOf = (channel: string, input: unknown): string => `${channel} ${JSON.stringify(input)}`
