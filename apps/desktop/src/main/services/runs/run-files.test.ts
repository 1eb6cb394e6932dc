import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RunUid } from '@shared/model/ids'
import { createRunFolders } from '@main/adapters/run-folder/run-folders'
import { createRunLogs } from '@main/adapters/run-folder/run-logs'
import { createDataPaths } from './data-paths'
import { createRunFiles, type RunFiles } from './run-files'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alfred-run-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('shows and keeps no secret that was printed in pieces', async () => {
  const uid = 'u' as RunUid
  const start = { attempt: 1, start: 1 }
  const paths = createDataPaths(folder)
  const unused = {} as never
  const files: RunFiles = createRunFiles({
    folders: createRunFolders(),
    logs: createRunLogs(),
    streams: unused,
    sandboxFiles: unused,
    paths,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
  })
  const raw = join(createRunFolders().outputFolder(paths.run(uid), start), 'stream.out')
  const part = (words: string) => `{"type":"partial","text":"${words}"}\n`
  mkdirSync(dirname(raw), { recursive: true })
  writeFileSync(raw, `${part('hunt')}${part('er2')}{"type":"text","text":"hunter2"}\n`)
  const shown = `${part('').repeat(2)}{"type":"text","text":"[redacted]"}\n`
  const read = async () => (await files.readLog(uid, start, 'stdout', 0, 10_000))?.text
  expect(await read()).toBe(shown)
  await files.redactStreams(uid, start)
  expect(await read()).toBe(shown)
})
