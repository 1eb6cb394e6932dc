import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedact, createSecretFinder, redact } from './redact'
import { redacted, tokenPatterns } from './token-patterns'

const secret = 'q7!Zp/ä w+3"x\\Lm=9'

describe('known values', () => {
  it.each([
    ['as they are', `before ${secret} after`],
    ['inside JSON', JSON.stringify({ token: secret })],
    ['URL-encoded', `?t=${encodeURIComponent(secret)}&x`],
    [
      'URL-encoded in lower case',
      `?t=${encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    ['form-encoded', new URLSearchParams({ t: secret }).toString()],
  ])('are taken out %s', (_, text) => {
    const result = redact(text, [secret])
    expect(result).toContain(redacted)
    expect(result).not.toContain('Zp')
    expect(result).not.toContain('Lm')
  })

  it.each([0, 1, 2, 3, 4, 5])('are taken out of base64 with %i bytes before them', (before) => {
    for (const after of [0, 1, 2, 3]) {
      const bytes = Buffer.from(`${'u'.repeat(before)}${secret}${'v'.repeat(after)}`)
      for (const encoding of ['base64', 'base64url'] as const) {
        const result = redact(`x ${bytes.toString(encoding)} y`, [secret])
        expect(result).toContain(redacted)
        // What is left at the edges is too little to tell more than one character from.
        expect(result.replace(redacted, '').length).toBeLessThanOrEqual(
          'x  y'.length + 2 * 4 + before * 2 + after * 2,
        )
      }
    }
  })

  it('of several lines are taken out line by line too', () => {
    const key = 'first-line-of-a-long-key-1234\nsecond-line-of-a-long-key-5678'
    expect(redact('says second-line-of-a-long-key-5678.', [key])).toBe(`says ${redacted}.`)
  })

  it('that are too short to be secrets leave the text alone', () => {
    expect(redact('a cab', ['a', '', 'ab'])).toBe('a cab')
  })

  it('are found in each of these forms, and what only looks like a token is not', () => {
    const holds = createSecretFinder(() => [secret])
    expect(holds(`a ${Buffer.from(secret).toString('base64')} b`)).toBe(true)
    expect(holds(`a ${encodeURIComponent(secret)} b`)).toBe(true)
    expect(holds(`a ghp_${'a1'.repeat(18)} b`)).toBe(false)
  })

  it('may change from call to call', () => {
    const values: string[] = []
    const take = createRedact(() => values)
    expect(take('hunter2-hunter2')).toBe('hunter2-hunter2')
    values.push('hunter2-hunter2')
    expect(take('hunter2-hunter2')).toBe(redacted)
  })

  it('never stand in the result, whatever stands around them', () => {
    // None of these characters is in the replacement, so that no secret is part of it.
    const characters = fc.constantFrom(...'ABCXYZ0189_-+/=%&"\\ äé😀$^(.*')
    const value = fc.array(characters, { minLength: 8, maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(value, fc.string(), fc.string({ unit: 'binary' }), (known, before, after) => {
        expect(redact(before + known + after + known, [known])).not.toContain(known)
      }),
    )
  })
})

describe('token patterns', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  it.each([
    ['GitHub', `ghp_${letters}`],
    ['GitHub app', `ghs_${letters}`],
    ['GitHub fine-grained', `github_pat_11ABC_${letters}`],
    ['GitLab', 'glpat-x1y2z3A4B5C6D7E8F9G0'],
    ['Anthropic', `sk-ant-api03-${letters}`],
    ['OpenAI', `sk-proj-${letters}`],
    ['xAI', `xai-${letters}`],
    ['Google', `AIza${letters.slice(1)}`],
    ['Slack', 'xoxb-123456789012-abcdef'],
    ['Amazon', 'AKIAIOSFODNN7EXAMPLE'],
    ['web token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters}`],
    ['private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----'],
  ])('find the kind: %s', (_, token) => {
    expect(redact(`set "${token}" now`, [])).toBe(`set "${redacted}" now`)
  })

  it.each(['\n', '\t', '\r\n', '\u0000', '\u001b[1;31m'])(
    'find a token at the begin of a line: %j',
    (end) => {
      for (const found of [`ghp_${letters}`, 'sk-proj-1234567890abcdef', 'AKIAIOSFODNN7EXAMPLE']) {
        // as its own line, in JSON, and in JSON that is a text of JSON
        const line = (text: string): readonly string[] => [
          `one${end}${text} two`,
          JSON.stringify(`one${end}${text} two`),
          JSON.stringify(JSON.stringify(`one${end}${text} two`)),
        ]
        expect(line(found).map((text) => redact(text, []))).toEqual(line(redacted))
      }
      expect(redact(JSON.stringify(`one${end}Private-Token: abc`), [])).toContain(`Token: ${redacted}"`)
    },
  )

  it.each([
    ['Authorization: Bearer abc', `Authorization: Bearer ${redacted}`],
    ['authorization: basic dTpw', `authorization: basic ${redacted}`],
    ['"Authorization":"token abc"', `"Authorization":"token ${redacted}"`],
    ['PRIVATE-TOKEN: abc def', `PRIVATE-TOKEN: ${redacted} def`],
    ['curl with Bearer abcdef123456', `curl with Bearer ${redacted}`],
    ['https://mia:pw@forge.example/x', `https://${redacted}@forge.example/x`],
    ['https://0123456789abcdef0123@forge.example', `https://${redacted}@forge.example`],
  ])('find credentials by their place: %s', (text, expected) => {
    expect(redact(text, [])).toBe(expected)
    // What went through once may go through again, on its way from the store to a log.
    expect(redact(expected, [])).toBe(expected)
  })

  it.each([
    'The task-runner uses disk-usage-of-all-folders2 and basic authentication of bearers.',
    'ssh://git@forge.example/a.git, git@github.com:a/b.git, mia@example.org',
    'http://localhost:3000/@scope/pkg?x=a:b@c',
    'eyJ is how JSON begins; sk-learn; AKIA; ghp_short',
    'commit 8f14e45fceea167a5a36dedd4bea2543 on agent/issue-3-add-a-parser',
  ])('leave ordinary text alone: %s', (text) => {
    expect(redact(text, [])).toBe(text)
  })

  it('are found in a first look exactly where one of them is found alone', () => {
    const pieces = [
      ['ghp_', 'github_pat_', 'glpat-', 'sk-', 'sk-ant-', 'xai-', 'AIza', 'xoxb-', 'AKIA', 'eyJ', '.eyJ'],
      [
        'Authorization: ',
        'PROXY-AUTHORIZATION=',
        'PRIVATE-TOKEN=',
        'job-token:',
        'x-api-key: "',
        '://',
        'mia:',
      ],
      ['X-GitLab-Token: ', 'x-goog-API-key=', 'Basic ', 'bearer\t', '@', 'ghs_', 'gldt-', 'ASIA', 'ACCA'],
      ['-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----', redacted],
      ['a1B2c3D4e5F6', 'ABCDEFGHIJKLMNOP', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R', ' ', '\n', '_', '"'],
    ].flat()
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((all) => all.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const oneByOne = tokenPatterns.reduce((left, { find, replace }) => left.replace(find, replace), text)
        expect(redact(text, [])).toBe(oneByOne)
      }),
      { numRuns: 5_000 },
    )
  })

  // A search that went back and forth would take hours here, and run into the time limit of the test.
  it.each([
    'a',
    'eyJ',
    'eyJaaaaaa.',
    'sk-',
    ' sk-a',
    '://',
    '://:',
    'http://a:',
    'bearer ',
    'authorization:  ',
    'ghp_a',
    '-----BEGIN PRIVATE KEY-----A',
    'A',
  ])('get through a megabyte of %j', (unit) => {
    expect(
      redact(unit.repeat(Math.ceil(1_000_000 / unit.length)), [`${'A'.repeat(60)}!`]).length,
    ).toBeGreaterThan(0)
  })
})
