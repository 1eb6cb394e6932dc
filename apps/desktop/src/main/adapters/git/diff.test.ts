import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseChangedFiles } from './diff'

const raw = (status: string, ...paths: readonly string[]): string =>
  `:100644 100644 ${'a'.repeat(40)} ${'b'.repeat(40)} ${status}\0${paths.join('\0')}\0`

describe("reading git's list of changed files", () => {
  it('joins kind and counts by path', () => {
    const text =
      `${raw('M', 'a')}${raw('R087', 'b', 'c')}${raw('T', 'd')}1\t2\ta\0` + `3\t4\t\0b\0c\0` + `-\t-\td\0`
    expect(parseChangedFiles(text)).toEqual({
      ok: true,
      value: [
        { path: 'a', oldPath: null, status: 'modified', added: 1, deleted: 2 },
        { path: 'c', oldPath: 'b', status: 'renamed', added: 3, deleted: 4 },
        { path: 'd', oldPath: null, status: 'type_changed', added: null, deleted: null },
      ],
    })
  })

  it('takes a path that looks like a record as the path that it is', () => {
    expect(
      parseChangedFiles(`${raw('A', '1\t2\tx')}${raw('A', ':1')}5\t0\t1\t2\tx\0` + `6\t0\t:1\0`),
    ).toMatchObject({
      value: [
        { path: '1\t2\tx', added: 5 },
        { path: ':1', added: 6 },
      ],
    })
  })

  it('takes no output as no files', () => {
    expect(parseChangedFiles('')).toEqual({ ok: true, value: [] })
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseChangedFiles(text)))
  })
})
