import { describe, expect, it } from 'vitest'
import { createKeptLogger } from '../../../test/fakes/kept-logger'
import { unhandledDuring } from '../../../test/fakes/unhandled-rejections'
import { createBackground } from './background'

const later = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

describe('work beside the calls', () => {
  it('that fails is logged with its stack and ends nothing', async () => {
    const logger = createKeptLogger()
    const background = createBackground(logger)
    const unhandled = await unhandledDuring(async () => {
      background.add(Promise.reject(new Error('gone')))
      await background.done()
    })
    expect(unhandled).toEqual([])
    expect(logger.errors).toEqual([expect.stringMatching(/failed: Error: gone\n +at /)])
  })

  it('is waited for, with what it adds', async () => {
    const background = createBackground(createKeptLogger())
    const done: string[] = []
    const child = async (): Promise<void> => {
      await later(2)
      done.push('child')
    }
    const parent = async (): Promise<void> => {
      await later(2)
      background.add(child())
      done.push('parent')
    }
    background.add(parent())
    await background.done()
    expect(done).toEqual(['parent', 'child'])
  })

  it('whose failure a caller hears is waited for too, and not told twice', async () => {
    const logger = createKeptLogger()
    const background = createBackground(logger)
    const broken = async (): Promise<void> => {
      await later(1)
      throw new Error('gone')
    }
    const kept = background.keep(broken())
    const heard = kept.catch((defect: unknown) => String(defect))
    await background.done()
    expect(await heard).toBe('Error: gone')
    expect(logger.errors).toEqual([])
  })
})
