import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkIntegrity } from './pinned-package.mjs'
import { StepError } from './steps.mjs'

let folder
let file

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-pinned-'))
  file = join(folder, 'package.tgz')
  writeFileSync(file, 'the package')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const integrityOf = (content) => `sha512-${createHash('sha512').update(content).digest('base64')}`

it('accepts a package with the pinned hash', async () => {
  await expect(checkIntegrity(file, integrityOf('the package'), 'some@1.0.0')).resolves.toBeUndefined()
})

it('refuses a package with another hash and says what to do', async () => {
  const refused = checkIntegrity(file, integrityOf('the package!'), 'some@1.0.0')
  await expect(refused).rejects.toThrow(StepError)
  await expect(refused).rejects.toThrow('some@1.0.0 is not the package that was pinned')
  await expect(refused).rejects.toHaveProperty('todo', expect.stringContaining('do not use it'))
})
