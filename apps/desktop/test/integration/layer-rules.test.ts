import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const appDir = resolve(import.meta.dirname, '../..')
const oxlintDir = dirname(createRequire(import.meta.url).resolve('oxlint/package.json'))

/** A target for every layer, so that imports of the samples resolve. */
const targets = {
  'src/shared/target.ts': 'export const shared = 1\n',
  'src/main/core/target.ts': 'export const core = 1\n',
  'src/main/ports/target.ts': 'export interface Port { readonly name: string }\n',
  'src/main/services/target.ts': 'export const service = 1\n',
  'src/main/adapters/db/target.ts': 'export const adapter = 1\n',
  'src/main/boot/target.ts': 'export const boot = 1\n',
  'src/renderer/features/runs/target.ts': 'export const runs = 1\n',
  'src/renderer/lib/target.ts': 'export const lib = 1\n',
}

/** Each is against one rule: the file, its text, the rule that must speak. */
const violations: readonly (readonly [file: string, text: string, rule: string])[] = [
  [
    'src/main/core/a.ts',
    "import { adapter } from '@main/adapters/db/target'\nexport const a = adapter\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/core/b.ts',
    "import { service } from '../services/target'\nexport const b = service\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/services/a.ts',
    "import { adapter } from '../adapters/db/target'\nexport const a = adapter\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/ipc/a.ts',
    "import { adapter } from '@main/adapters/db/target'\nexport const a = adapter\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/windows/a.ts',
    "import { service } from '@main/services/target'\nexport const a = service\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/cli/a.ts',
    "import { service } from '@main/services/target'\nexport const a = service\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/ipc/b.ts',
    "import { core } from '@main/core/target'\nexport const b = core\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/adapters/git/a.ts',
    "import { service } from '@main/services/target'\nexport const a = service\n",
    'boundaries(dependencies)',
  ],
  [
    'src/shared/a.ts',
    "import { core } from '@main/core/target'\nexport const a = core\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/services/b.ts',
    "import { boot } from '@main/boot/target'\nexport const b = boot\n",
    'boundaries(dependencies)',
  ],
  [
    'src/renderer/features/timeline/a.ts',
    "import { runs } from '../runs/target'\nexport const a = runs\n",
    'boundaries(dependencies)',
  ],
  [
    'src/renderer/features/timeline/b.ts',
    "import { core } from '@main/core/target'\nexport const b = core\n",
    'boundaries(dependencies)',
  ],
  [
    'src/main/core/c.ts',
    "import { readFileSync } from 'node:fs'\nexport const c = readFileSync\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/renderer/lib/a.ts',
    "import { join } from 'node:path'\nexport const a = join\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/main/services/c.ts',
    "import { app } from 'electron'\nexport const c = app\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/main/alfred.ts',
    "import { app } from 'electron'\nexport const c = app\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/main/adapters/git/b.ts',
    "import Database from 'better-sqlite3'\nexport const b = Database\n",
    'eslint(no-restricted-imports)',
  ],
  [
    'src/main/services/d.ts',
    "import Docker from 'dockerode'\nexport const d = Docker\n",
    'eslint(no-restricted-imports)',
  ],
  ['src/main/services/e.ts', 'export default 1\n', 'import(no-default-export)'],
  ['src/main/services/f.ts', "console.log('x')\nexport const f = 1\n", 'eslint(no-console)'],
  [
    'src/main/services/g.ts',
    'const late = async (): Promise<void> => {}\nlate()\nexport const g = 1\n',
    'typescript(no-floating-promises)',
  ],
  [
    'src/main/services/h.ts',
    "import { i } from './i'\nexport const h = (): number => i()\n",
    'import(no-cycle)',
  ],
  [
    'src/main/services/i.ts',
    "import { h } from './h'\nexport const i = (): number => h()\n",
    'import(no-cycle)',
  ],
  ['src/main/stray/a.ts', 'export const a = 1\n', 'boundaries(no-unknown-files)'],
  [
    'src/main/core/d.ts',
    "export function d(word: 'a' | 'b'): number {\n  switch (word) {\n    case 'a':\n      return 1\n  }\n  return 0\n}\n",
    'typescript(switch-exhaustiveness-check)',
  ],
]

const legal = {
  'src/main/services/ok.ts':
    "import { core } from '@main/core/target'\nimport type { Port } from '@main/ports/target'\nimport { shared } from '@shared/target'\nexport const ok = (port: Port): string => `${port.name}${core}${shared}`\n",
  'src/main/adapters/db/ok.ts': "import Database from 'better-sqlite3'\nexport const ok = Database\n",
  'src/main/windows/ok.ts': "import { BrowserWindow } from 'electron'\nexport const ok = BrowserWindow\n",
  'src/main/boot/ok.ts':
    "import { adapter } from '@main/adapters/db/target'\nimport { service } from '@main/services/target'\nexport const ok = adapter + service\n",
  'src/renderer/features/runs/ok.ts':
    "import { lib } from '../../lib/target'\nimport { runs } from './target'\nexport const ok = lib + runs\n",
}

let found: readonly string[]
let copy: string

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'alfred-lint-'))
  for (const file of readdirSync(appDir).filter((name) => /^(\.oxlintrc|tsconfig.*)\.json$/.test(name)))
    cpSync(join(appDir, file), join(copy, file))
  symlinkSync(resolve(appDir, '../../node_modules'), join(copy, 'node_modules'))
  const planted = Object.fromEntries(violations.map(([file, text]) => [file, text]))
  for (const [file, text] of Object.entries({ ...targets, ...planted, ...legal })) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  found = await lint(copy)
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe('the layer rules of the lint', () => {
  it.each(violations.map(([file, , rule]) => [file, rule]))('%s is refused by %s', (file, rule) => {
    expect(found).toContain(`${file} ${rule}`)
  })

  it('leave everything else alone', () => {
    const expected = new Set(violations.map(([file, , rule]) => `${file} ${rule}`))
    expect(found.filter((finding) => !expected.has(finding))).toEqual([])
  })
})

function lint(folder: string): Promise<readonly string[]> {
  const args = [join(oxlintDir, 'bin/oxlint'), '--type-aware', '--format', 'json', 'src']
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => {
      try {
        const report = JSON.parse(stdout) as { diagnostics: readonly { filename: string; code: string }[] }
        done(report.diagnostics.map(({ filename, code }) => `${filename} ${code}`))
      } catch (error) {
        fail(new Error(`oxlint printed no report: ${stdout}`, { cause: error }))
      }
    })
  })
}
