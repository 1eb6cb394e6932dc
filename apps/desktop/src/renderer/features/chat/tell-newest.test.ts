import { expect, it } from 'vitest'
import { createTeller } from './tell-newest'

/** A thing that changes, and what was told of it. */
function scene() {
  let text = ''
  const told: string[] = []
  const answers: (() => void)[] = []
  const tell = createTeller<string>((key) => {
    told.push(`${key}: ${text}`)
    return new Promise<void>((resolve) => answers.push(resolve))
  })
  return {
    told,
    change: (key: string, next: string) => {
      text = next
      tell(key)
    },
    answer: async () => {
      answers.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('tells a change at once, and what comes meanwhile afterwards, the newest alone', async () => {
  const { told, change, answer } = scene()
  change('a', 'H')
  expect(told).toEqual(['a: H'])
  change('a', 'He')
  change('a', 'Hey')
  expect(told).toEqual(['a: H'])
  await answer()
  expect(told).toEqual(['a: H', 'a: Hey'])
  await answer()
  expect(told).toHaveLength(2)
  change('a', 'Hey!')
  expect(told.at(-1)).toBe('a: Hey!')
})

it('lets one thing not wait for another', () => {
  const { told, change } = scene()
  change('a', 'x')
  change('b', 'y')
  expect(told).toEqual(['a: x', 'b: y'])
})
