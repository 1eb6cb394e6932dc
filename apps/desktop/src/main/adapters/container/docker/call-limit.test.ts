import { describe, expect, it } from 'vitest'
import { NoAnswer, withLimit } from './call-limit'

/** The process stands still, as when its computer sleeps. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('the limit of a call', () => {
  it('gives up what does not answer', () =>
    expect(withLimit(new Promise(() => undefined), 20)).rejects.toBeInstanceOf(NoAnswer))

  it('hears an answer that came while the process stood still', async () => {
    const answer = new Promise((resolve) => setTimeout(() => resolve('answer'), 50))
    const limited = withLimit(answer, 20)
    standStill(1_200)
    expect(await limited).toBe('answer')
  })

  it('tells how the work itself failed', () =>
    expect(withLimit(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused'))
})
