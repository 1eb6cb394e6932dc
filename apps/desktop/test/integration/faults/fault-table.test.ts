import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultPage } from './fault-page'
import { faultTable } from './fault-table'

const appFolder = resolve(import.meta.dirname, '../../..')
const all = faultTable.flatMap(({ faults }) => faults)

/** Ids that tests of these files stand for: `fault('id'`, or a helper of the file with the id first. */
const testedIn = (files: readonly string[]): readonly string[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ {0,4}[a-zA-Z]+\(\s*'([a-z0-9-]+)',/gm)].map(
      ([, id = '']) => id,
    ),
  )

describe('the table of faults', () => {
  it('names each fault once', () => {
    const ids = all.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(all.map(({ fault }) => fault)).size).toBe(ids.length)
  })

  it('has exactly one test on the running engine for each row', () => {
    const files = readdirSync(import.meta.dirname)
      .filter((name) => name.endsWith('-faults.test.ts'))
      .map((name) => join(import.meta.dirname, name))
    expect(testedIn(files).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  })

  it('has a test in the real window where it says so, six at least', () => {
    const inWindow = all.filter((row) => row.inWindow === true).map(({ id }) => id)
    expect(inWindow.length).toBeGreaterThanOrEqual(6)
    expect(testedIn([join(appFolder, 'test/e2e/faults.spec.ts')]).toSorted()).toEqual(inWindow.toSorted())
  })

  it('is the page docs/faults.md', async () => {
    const page = resolve(appFolder, '../../docs/faults.md')
    expect(existsSync(page) || process.env['CI'] === undefined).toBe(true)
    await expect(faultPage(faultTable)).toMatchFileSnapshot(page)
  })
})
