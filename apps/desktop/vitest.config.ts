import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (folder: string): string => fileURLToPath(new URL(`./src/${folder}`, import.meta.url))

const dbTests = ['src/**/*.db.test.ts']

/** On real containers, servers and CLIs, in CI; told each time, see scripts/suites/unsteady.mjs. Never what kills: see scripts/never-twice.test.mjs. */
const retry = process.env['CI'] ? 1 : 0

/** Four kinds of test: pure code, code on a real SQLite file, many parts together, one suite per port. */
export default defineConfig({
  resolve: {
    alias: {
      '@shared': source('shared'),
      '@main': source('main'),
      '@renderer': source('renderer'),
    },
  },
  test: {
    // On a computer that does much else, a second is little.
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    // As many as there are agent CLIs: the rows of the session matrix wait more than they work.
    maxConcurrency: 8,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], exclude: dbTests } },
      { extends: true, test: { name: 'db', include: dbTests } },
      { test: { name: 'scripts', root: '../../scripts', include: ['**/*.test.mjs'] } },
      {
        extends: true,
        test: {
          name: 'integration',
          retry,
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'clis',
          retry,
          include: ['test/clis/**/*.test.ts'],
          // The first time on a computer the CLIs are fetched.
          hookTimeout: 600_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          retry,
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          // Only one of its files needs Docker, so that two of them do not disturb each other.
          maxWorkers: 2,
        },
      },
    ],
  },
})
