import { defineConfig } from '@playwright/test'

/** One app at a time: the machine that tests has few cores, and each test opens a whole Electron. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 1,
  // see scripts/suites/unsteady.mjs
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env['CI']),
  tsconfig: './tsconfig.test.json',
  use: { testIdAttribute: 'data-test' },
})
