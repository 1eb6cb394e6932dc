import { expect, it } from 'vitest'
import { createKeptLogger } from '../../../test/fakes/kept-logger'
import { unhandledDuring } from '../../../test/fakes/unhandled-rejections'
import { aside } from './aside'

it('work that nobody waits for fails into the log, with its stack, and ends nothing', async () => {
  const logger = createKeptLogger()
  const unhandled = await unhandledDuring(async () => {
    aside(logger, 'the washing', Promise.reject(new Error('no water')))
    await Promise.resolve()
  })
  expect(unhandled).toEqual([])
  expect(logger.errors).toEqual([expect.stringMatching(/^the washing failed: Error: no water\n +at /)])
})
