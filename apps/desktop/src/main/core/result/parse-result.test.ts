import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseResult, type ResultInput } from './parse-result'

const analysis = {
  version: 1,
  phase: 'analysis',
  outcome: 'done',
  plan: 'Do it.',
  functional_analysis: 'What it is.',
}
const parse = (file: unknown, patch: Partial<ResultInput> = {}) =>
  parseResult({
    file: file === null || typeof file === 'string' ? file : JSON.stringify(file),
    lastText: 'last words',
    phase: 'analysis',
    iid: 3,
    ...patch,
  })
const reason = (file: unknown, patch: Partial<ResultInput> = {}): string => {
  const result = parse(file, patch)
  return result.ok ? 'accepted' : result.error.message
}

describe('parseResult', () => {
  test('reads a plan with its functional analysis', () => {
    expect(parse(analysis)).toEqual({
      ok: true,
      value: {
        source: 'file',
        outcome: 'done',
        functionalAnalysis: 'What it is.',
        plan: 'Do it.',
        questions: [],
        answer: null,
        summary: null,
      },
    })
  })

  test('reads questions and an answer', () => {
    expect(
      parse({ version: 1, phase: 'analysis', outcome: 'questions', questions: ['Which?', '  '] }),
    ).toMatchObject({
      value: { outcome: 'questions', questions: ['Which?'] },
    })
    expect(
      parse({ version: 1, phase: 'answer', outcome: 'done', answer: '42' }, { phase: 'answer' }),
    ).toMatchObject({
      value: { answer: '42' },
    })
  })

  test.each([
    [
      'another phase',
      { ...analysis, phase: 'development' },
      'it is for the phase development, this run is analysis',
    ],
    ['another issue', { ...analysis, issue: 4 }, 'it is for issue 4, this run is for issue 3'],
    ['no JSON', 'plan: do it', 'it is not JSON'],
    ['an array', [], 'it: '],
    ['a newer version', { ...analysis, version: 2 }, 'version: '],
    ['an unknown outcome', { ...analysis, outcome: 'great' }, 'outcome: '],
    ['an unknown key', { ...analysis, push: true }, 'it: Unrecognized key'],
    [
      'a key of the prototype',
      '{"version":1,"phase":"analysis","outcome":"done","plan":"x","__proto__":{"a":1}}',
      'the key __proto__',
    ],
    ['a nested key of the prototype', '{"version":1,"questions":[{"constructor":1}]}', 'the key constructor'],
    ['done without a plan', { ...analysis, plan: ' \n ' }, 'the analysis is done and holds no plan'],
    [
      'questions without any',
      { version: 1, phase: 'analysis', outcome: 'questions', questions: [''] },
      'holds none',
    ],
    ['a plan that is too long', { ...analysis, plan: 'x'.repeat(200_001) }, 'plan: '],
  ])('refuses %s and says why', (_name, file, words) => {
    expect(reason(file)).toContain(words)
  })

  test('refuses an answer phase without an answer', () => {
    expect(reason({ version: 1, phase: 'answer', outcome: 'done' }, { phase: 'answer' })).toContain(
      'holds no answer',
    )
  })

  test('takes the last text as plan or answer when there is no file', () => {
    expect(parse(null)).toMatchObject({ value: { source: 'last_text', plan: 'last words', answer: null } })
    expect(parse(null, { phase: 'answer' })).toMatchObject({ value: { plan: null, answer: 'last words' } })
    expect(parse(null, { phase: 'development', lastText: null })).toMatchObject({
      value: { outcome: 'done', summary: null },
    })
  })

  test('refuses an analysis that left nothing at all', () => {
    expect(reason(null, { lastText: ' ' })).toBe('The agent left neither a result.json nor any text.')
  })

  test('takes out control characters and broken surrogates', () => {
    expect(parse({ ...analysis, plan: 'a\u0000b\u001b[31m\tc\n\ud800' })).toMatchObject({
      value: { plan: 'ab[31m\tc\n\ufffd' },
    })
  })

  test('never throws and never pollutes a prototype, whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"__proto__":${json}}`),
        ),
        (file) => {
          parse(file)
          expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
        },
      ),
    )
  })
})
