import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { appDir, root } from './setup/places.mjs'

/*
 * A test that kills what it tests must not be tried again until it passes: what it lost once is lost.
 */

const killing = ['integration', 'contract'].flatMap((kind) =>
  fs
    .readdirSync(path.join(appDir, 'test', kind))
    .filter((name) => /(crash|crashes|killed-\w+-?\w*|docker-away)\.test\.ts$/.test(name))
    .map((name) => path.join('test', kind, name)),
)

it('there are such tests', () => expect(killing.length).toBeGreaterThan(7))

it.each(killing)('%s is tried once, in CI too', (file) => {
  const text = fs.readFileSync(path.join(appDir, file), 'utf8')
  const groups = text.match(/^describe/gm) ?? []
  expect(groups.length).toBeGreaterThan(0)
  expect(text.match(/^(?:describe|\] as const\)).*\{ retry: 0 \}/gm)).toHaveLength(groups.length)
  expect(text).not.toMatch(/^(?:it|test)\b/m)
})

it('CI kills 50 times at random, npm run torture 500 times', () => {
  const random = fs.readFileSync(path.join(appDir, 'test/integration/run-killed-at-random.test.ts'), 'utf8')
  expect(random).toContain("process.env['ALFRED_TORTURE_KILLS'] ?? 50")
  expect(fs.readFileSync(path.join(root, 'scripts/torture.mjs'), 'utf8')).toContain("values.kills ?? '500'")
})
