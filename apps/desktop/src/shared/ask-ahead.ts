import { firstQuestions } from './first-questions'

type Ask<T> = (channel: string, input: unknown) => Promise<T>

export interface AskedAhead<T> {
  /** The answer to the same question, once; null where it was not asked ahead. */
  take(channel: string, input: unknown): Promise<T> | null
  /** What nobody took by now is old. */
  drop(): void
}

/** Asks what the first picture shows before anybody asks it: the answers take as long as what has to be read until then. */
export function askAhead<T>(ask: Ask<T>): AskedAhead<T> {
  const answers = new Map<string, Promise<T>>()
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
