import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { installInto } from './dependencies.mjs'

it('says why npm failed, also under npm run -s, which silences every npm below it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alfred-npm-'))
  vi.stubEnv('npm_config_loglevel', 'silent')
  try {
    writeFileSync(join(folder, 'package.json'), '{"name":"without-a-lock-file","private":true}')
    await expect(installInto(folder)).rejects.toMatchObject({
      message: expect.stringMatching(/^npm ci failed:\n[^]*package-lock\.json/),
      todo: expect.stringContaining('remove node_modules and start again'),
    })
  } finally {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  }
})
