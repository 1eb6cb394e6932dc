import { describe, expect, it, vi } from 'vitest'
import type { CheckContext } from './check'
import { checks } from './checks'
import { cutOffMs, outcomeOf } from './outcome-of'

/*
 * What a check comes to, without a CLI: the cap is of the check itself, whatever its CLI does.
 */

// no check of these asks for anything
const context = {} as CheckContext
const longMs = cutOffMs

describe('a check of the matrix', () => {
  it('that hangs has failed once its cap is over, and ends with what it works in', async () => {
    let hasEnded = false
    let free = (): void => undefined
    const isFree = new Promise<void>((resolve) => (free = resolve))
    const release = vi.fn<() => Promise<void>>(async () => free())
    const run = async (): Promise<string> => {
      await isFree
      hasEnded = true
      return 'went on'
    }
    expect(await outcomeOf({ capMs: 20, run }, context, release)).toEqual({
      ok: false,
      note: 'took longer than 0.02 s',
    })
    expect(release).toHaveBeenCalledOnce()
    expect(hasEnded).toBe(true)
  })

  it('that ends within its cap tells what the CLI did', async () => {
    const release = vi.fn<() => Promise<void>>(async () => undefined)
    expect(await outcomeOf({ capMs: longMs, run: async () => 'refuses' }, context, release)).toEqual({
      ok: true,
      note: 'refuses',
    })
    expect(release).toHaveBeenCalledOnce()
  })

  it('that fails tells why in one line, and leaves nothing', async () => {
    const release = vi.fn<() => Promise<void>>(async () => undefined)
    const run = () => Promise.reject(new Error('expected 1 to be 2\n\n- 1\n+ 2'))
    expect(await outcomeOf({ capMs: longMs, run }, context, release)).toEqual({
      ok: false,
      note: 'expected 1 to be 2',
    })
    expect(release).toHaveBeenCalledOnce()
  })

  it('has a cap that comes before its test is cut off', () => {
    expect(checks.filter(({ capMs }) => capMs <= 0 || capMs >= cutOffMs)).toEqual([])
  })
})
