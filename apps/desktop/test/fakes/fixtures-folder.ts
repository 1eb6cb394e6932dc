import { join } from 'node:path'

/** A bundle of the tests lies elsewhere, and is told. */
export const fixturesFolder = process.env['ALFRED_TEST_FIXTURES'] ?? join(import.meta.dirname, '../fixtures')
