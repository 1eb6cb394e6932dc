import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/* Each start is a process of its own: what one compiled lies on the disk for the next. */

let folder: string
let kept: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-code-'))
  kept = join(folder, 'kept')
  mkdirSync(join(folder, 'chunks'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const program = `
  const [, helper, file, folder] = process.argv
  import { createRequire } from 'node:module'
  import { Script } from 'node:vm'
  const { helpRuntime } = await import(helper)
  const code = helpRuntime(folder)
  const value = createRequire(file)(file)
  code.keep()
  process.stdout.write(JSON.stringify(value))
`

/** Starts once, and returns what the module of that name exports. */
function start(name: string, source: string): unknown {
  const file = join(folder, 'chunks', name)
  writeFileSync(file, source)
  const helper = join(import.meta.dirname, 'kept-code.ts')
  const flags = ['--no-warnings', '--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, [...flags, helper, file, kept], { encoding: 'utf8' }))
}

const twice = 'exports.value = require("node:path").basename(__filename) + module.id.length'

describe('the code of the engine', () => {
  it('is kept for the next start, and does the same there', () => {
    const first = start('engine-a1b2c3d4.cjs', twice)
    expect(readdirSync(kept)).toEqual(['engine-a1b2c3d4.cjs'])
    const written = readFileSync(join(kept, 'engine-a1b2c3d4.cjs'))
    expect(start('engine-a1b2c3d4.cjs', twice)).toEqual(first)
    // it was taken, so there was nothing to keep anew
    expect(readFileSync(join(kept, 'engine-a1b2c3d4.cjs'))).toEqual(written)
  })

  it('is compiled anew where what was kept is torn, empty or of another file', () => {
    start('engine-a1b2c3d4.cjs', twice)
    const file = join(kept, 'engine-a1b2c3d4.cjs')
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[whole.length - 9] = (flipped[whole.length - 9] ?? 0) ^ 1
    for (const broken of [whole.subarray(0, -1), Buffer.alloc(0), flipped]) {
      writeFileSync(file, broken)
      expect(start('engine-a1b2c3d4.cjs', twice)).toEqual({ value: expect.stringContaining('engine-a1') })
      expect(readFileSync(file).length).toBe(whole.length)
    }
  })

  it('of an earlier version goes', () => {
    start('engine-a1b2c3d4.cjs', 'exports.value = 1')
    expect(start('engine-e5f6a7b8.cjs', 'exports.value = 2')).toEqual({ value: 2 })
    expect(readdirSync(kept)).toEqual(['engine-e5f6a7b8.cjs'])
  })

  it('without a hash in its name is never kept: another file could have it', () => {
    expect(start('engine.cjs', 'exports.value = 1')).toEqual({ value: 1 })
    expect(start('engine.cjs', 'exports.value = 2')).toEqual({ value: 2 })
  })

  it('starts also where nothing can be kept', () => {
    writeFileSync(kept, 'a file')
    expect(start('engine-a1b2c3d4.cjs', 'exports.value = 3')).toEqual({ value: 3 })
  })
})
