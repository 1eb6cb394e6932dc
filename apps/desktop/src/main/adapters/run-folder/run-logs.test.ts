import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secretReach } from '@main/core/redact/safe-cut'
import { createRunLogs } from './run-logs'

const logs = createRunLogs()
const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the log of a start', () => {
  it('is replaced by a redacted copy, for this user only', async () => {
    const raw = join(folder, 'raw')
    const target = join(folder, 'log', '1-1-stdout.log')
    writeFileSync(raw, `${'x'.repeat(999_996)}hunter2\nend without a line feed hunter2`)
    await logs.redact(raw, target, redact)
    expect(readFileSync(target, 'utf8')).toBe(
      `${'x'.repeat(999_996)}[redacted]\nend without a line feed [redacted]`,
    )
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(existsSync(raw)).toBe(false)
    await logs.redact(raw, target, () => 'never asked again')
    expect(readFileSync(target, 'utf8')).toContain('[redacted]')
  })

  it.each([
    ['on a line without end', 'x', 'first half, second half'],
    ['over the end of a line', `${'y'.repeat(98)}\n`, 'first half\nsecond half'],
  ])('keeps no half of a secret %s, wherever the reads cut it', async (_what, filler, secret) => {
    const hide = (text: string): string => text.replaceAll(secret, '[redacted]')
    const before = filler.repeat(Math.ceil(5_000_000 / filler.length))
    for (const edge of [1_000_000 - secretReach, 1_000_000, 5_000_000]) {
      const raw = join(folder, 'raw')
      writeFileSync(raw, `${before.slice(0, edge - 12)}${secret}${filler.repeat(50_000)}`)
      await logs.redact(raw, join(folder, 'log'), hide)
      expect(readFileSync(join(folder, 'log'), 'utf8')).not.toMatch(/first|half|second/)
    }
  })

  it('is never read through a link', async () => {
    symlinkSync('/etc/hostname', join(folder, 'link'))
    expect(await logs.read(join(folder, 'link'), 0, 100)).toBeNull()
    expect(await logs.sizeOf(join(folder, 'link'))).toBeNull()
  })

  it('is read in pages that cut no character', async () => {
    const path = join(folder, 'log')
    writeFileSync(path, 'aé€𝄞z')
    let text = ''
    for (let offset = 0; offset < statSync(path).size;) {
      const page = await logs.read(path, offset, 4)
      text += page?.text ?? ''
      offset += Buffer.byteLength(page?.text ?? '')
    }
    expect(text).toBe('aé€𝄞z')
  })
})
