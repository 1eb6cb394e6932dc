import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedact } from '../../core/redact/redact'
import { readRedactedPage } from './redacted-page'

const known = 'correct horse battery staple'
const redact = createRedact(() => [known])

const readerOf = (log: string) => (offset: number, bytes: number) =>
  Promise.resolve({ text: log.slice(offset, offset + bytes), offset, totalBytes: log.length })

async function pagesOf(log: string, limit: number): Promise<readonly string[]> {
  const pages: string[] = []
  for (let offset = 0; offset < log.length; offset += limit) {
    pages.push((await readRedactedPage(readerOf(log), offset, limit, redact))?.text ?? '')
  }
  return pages
}

describe('a page of a log that is still being written', () => {
  const line = 'all is well\n'
  const secrets = [known, 'glpat-abcdefghij0123456789', `Authorization: Bearer ${'k3y'.repeat(40)}`]

  it.each(secrets)(
    'holds no part of %j, wherever it lies on an edge, and loses nothing else',
    async (secret) => {
      const limit = 80_000
      for (let over = 0; over <= secret.length; over += 7) {
        const before = line.repeat(7_000).slice(0, limit - over - 1)
        const log = `${before} ${secret} \n${line.repeat(7_000)}`
        expect((await pagesOf(log, limit)).join('')).toBe(redact(log))
      }
    },
  )

  it('holds no part of a secret when it is smaller than one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(line, 'x', ' ', ` ${known} \n`), { maxLength: 40 }),
        fc.integer({ min: 5, max: 60 }),
        async (parts, limit) => {
          for (const page of await pagesOf(`${parts.join('')}\n`, limit)) {
            expect(page).not.toMatch(/corr|orse|batt|tery|stap/)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('holds back a last line that has no end yet: it may be half of a secret', async () => {
    const log = `${line}the password is correct horse bat`
    expect((await pagesOf(log, 1_000)).join('')).toBe(line)
  })

  it('is null where there is no log', async () => {
    expect(await readRedactedPage(() => Promise.resolve(null), 0, 10, redact)).toBeNull()
  })
})
