import { forTerminal, table } from '@main/cli/output'

/*
 * What was done, told as it happens (standard error) and as a table at the end (standard output).
 */

export interface Row {
  readonly step: string
  readonly state: 'ok' | 'FAILED' | 'left'
  readonly result: string
}

export interface Report {
  readonly rows: readonly Row[]
  add(row: Row): void
  progress(text: string): void
  /** Does one step and adds its row: the words that it returns beside its value, or why it failed. */
  step<T>(name: string, work: () => Promise<readonly [value: T, words: string]>): Promise<T>
  print(): void
}

/** The trial cannot go on; the message is for people. */
export class TrialFailure extends Error {}

/** The person ended it. */
export class Interrupted extends Error {
  constructor() {
    super('it was interrupted')
  }
}

export interface Streams {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
}

/** `secrets` are in nothing that is printed, whoever wrote it. */
export function createReport({ out, error }: Streams, secrets: readonly string[]): Report {
  const rows: Row[] = []
  const clean = (text: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '<redacted>'), text)
  const report: Report = {
    rows,
    add(row) {
      const cleaned = { ...row, result: clean(row.result) }
      rows.push(cleaned)
      report.progress(`${cleaned.state.padEnd(6)} ${cleaned.step}: ${cleaned.result}`)
    },
    progress: (text) => error(`${forTerminal(clean(text))}\n`),
    async step(name, work) {
      report.progress(`       ${name} …`)
      try {
        const [value, words] = await work()
        report.add({ step: name, state: 'ok', result: words })
        return value
      } catch (thrown) {
        report.add({ step: name, state: 'FAILED', result: reasonOf(thrown) })
        throw thrown
      }
    },
    print: () =>
      out(
        `${table(
          ['step', '', 'result'],
          rows.map(({ step, state, result }) => [step, state, result]),
        )}\n`,
      ),
  }
  return report
}

/** Expected failures in their words; a defect with its stack, so that it can be mended. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof TrialFailure || thrown instanceof Interrupted) return thrown.message
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
