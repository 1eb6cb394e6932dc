import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createProgressReader } from './progress'

const read = (lines: readonly object[], what = 'building x') => {
  const reader = createProgressReader(what, 'build_failed')
  return { reader, told: lines.map((line) => reader.line(JSON.stringify(line))) }
}

describe('the account of a build', () => {
  it('tells step and fraction', () => {
    const { told } = read([
      { stream: 'Step 2/4 : RUN make\n' },
      { stream: ' ---> Running in 1234\n' },
      { stream: 'compiling\nmore' },
    ])
    expect(told).toEqual([
      { step: 'step 2 of 4', fraction: 0.25, detail: 'RUN make' },
      null,
      { step: 'step 2 of 4', fraction: 0.25, detail: 'compiling' },
    ])
  })

  it('takes an error inside the stream for the failure that it is, with the last words before it', () => {
    const { reader } = read([
      { stream: 'alfred: git is missing' },
      { error: 'returned a non-zero code: 1', errorDetail: { code: 1 } },
    ])
    expect(reader.error()).toMatchObject({
      type: 'build_failed',
      message: 'building x: returned a non-zero code: 1 (alfred: git is missing)',
    })
  })

  it('knows the image that was made', () => {
    const id = `sha256:${'a'.repeat(64)}`
    expect(read([{ aux: { ID: id } }]).reader.imageId()).toBe(id)
    expect(read([{ status: id }]).reader.imageId()).toBe(id)
  })

  it('adds up the layers of a pull', () => {
    const { told } = read(
      [
        { status: 'Pulling fs layer', id: 'a' },
        { status: 'Downloading', id: 'a', progressDetail: { current: 5_000_000, total: 10_000_000 } },
        { status: 'Downloading', id: 'b', progressDetail: { current: 0, total: 10_000_000 } },
        { status: 'Pull complete', id: 'a' },
      ],
      'pulling x',
    )
    expect(told.map((progress) => progress?.fraction)).toEqual([null, 0.5, 0.25, 0.5])
    expect(told.at(-1)).toEqual({ step: 'pulling x', fraction: 0.5, detail: '1 of 2 layers, 20 MB' })
  })

  it('never throws, whatever a line holds', () => {
    const reader = createProgressReader('x', 'build_failed')
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        const progress = reader.line(line)
        expect(progress === null || progress.fraction === null || progress.fraction <= 1).toBe(true)
      }),
    )
  })
})
