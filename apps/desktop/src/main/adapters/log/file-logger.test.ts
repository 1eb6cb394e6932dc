import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRedact } from '@main/core/redact/redact'
import { createFileLogger } from './file-logger'
import { openRotatingFile } from './rotating-file'

const secret = 'hunter2-"hunter2"'
const lines: string[] = []
const logger = createFileLogger({
  file: { append: (line) => lines.push(line) },
  clock: { now: () => Date.UTC(2026, 10, 29, 12) },
  redact: createRedact(() => [secret]),
})

beforeEach(() => {
  lines.length = 0
})

describe('the log', () => {
  it('has one JSON object per line, with time, level, message and fields', () => {
    logger.with({ run: 4 }).warn('it was slow\nvery slow', { ms: 12, isLast: false, why: null })
    expect(lines[0]).not.toContain('\n')
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      at: '2026-11-29T12:00:00.000Z',
      level: 'warn',
      message: 'it was slow\nvery slow',
      run: 4,
      ms: 12,
      isLast: false,
      why: null,
    })
  })

  it('holds no secret, in the message or in a field', () => {
    logger
      .with({ at: secret })
      .error(`token ${secret}`, { url: 'https://mia:pw@forge/x', token: `glpat-${'a1'.repeat(10)}` })
    expect(lines[0]).not.toMatch(/hunter2|pw@|glpat-/)
  })

  it('lets no field pass for time, level or message', () => {
    logger.info('true', { message: 'false', level: 'error' })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', message: 'true' })
  })

  it('cuts a text that is longer than anybody reads', () => {
    logger.info('x'.repeat(1_000_000))
    expect(lines[0]?.length).toBeLessThan(9_000)
  })
})

describe('its file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'alfred-log-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('moves aside when it is full; the oldest goes', () => {
    const log = openRotatingFile({ file: join(folder, 'logs', 'alfred.log'), maxBytes: 10, kept: 2 })
    for (const line of ['one-----', 'two-----', 'three---', 'four----']) log.append(line)
    log.close()
    const read = (name: string): string => readFileSync(join(folder, 'logs', name), 'utf8')
    expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
      'alfred.log',
      'alfred.log.1',
      'alfred.log.2',
    ])
    expect([read('alfred.log'), read('alfred.log.1'), read('alfred.log.2')]).toEqual([
      'four----\n',
      'three---\n',
      'two-----\n',
    ])
  })

  it('can be read by this user only, and goes on where the last start ended', () => {
    const file = join(folder, 'alfred.log')
    for (const line of ['one', 'two']) {
      const log = openRotatingFile({ file, maxBytes: 1000, kept: 2 })
      log.append(line)
      log.close()
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  })

  it('is not made again once it is closed, when its folder is gone', () => {
    const log = openRotatingFile({ file: join(folder, 'logs', 'alfred.log'), maxBytes: 1000, kept: 2 })
    log.append('one')
    log.close()
    rmSync(join(folder, 'logs'), { recursive: true })
    log.append('two')
    expect(readdirSync(folder)).toEqual([])
  })

  it('that cannot be written stops nobody', () => {
    writeFileSync(join(folder, 'logs'), 'a file in the way')
    const log = openRotatingFile({ file: join(folder, 'logs', 'alfred.log'), maxBytes: 10, kept: 2 })
    expect(() => log.append('one')).not.toThrow()
  })
})
