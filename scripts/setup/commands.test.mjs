import { expect, it } from 'vitest'
import { lastNpmLines } from './commands.mjs'

it('keeps the reason of an npm that failed, and no stack', () => {
  const output = [
    'npm error code ECONNREFUSED',
    'npm error FetchError: request to http://registry.example/node failed, reason: connect ECONNREFUSED',
    'npm error     at ClientRequest.<anonymous> (/usr/lib/npm/index.js:130:14)',
    "npm error   code: 'ECONNREFUSED',",
    'npm error }',
    'npm error',
    'npm error If you are behind a proxy, please look at the proxy config.',
    'npm error A complete log of this run can be found in: /home/dev/.npm/_logs/debug-0.log',
  ].join('\n')
  expect(lastNpmLines(output, 6)).toBe(
    [
      'npm error code ECONNREFUSED',
      'npm error FetchError: request to http://registry.example/node failed, reason: connect ECONNREFUSED',
      'npm error If you are behind a proxy, please look at the proxy config.',
    ].join('\n'),
  )
})
