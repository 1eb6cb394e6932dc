import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markerKindSchema } from '@shared/model/words'
import { issueDigests, replaceSection, withoutSection } from './description-section'
import { markerLine, parseMarker, postKey, textSha256, withMarker, withoutMarker } from './markers'
import { asCode, cutText, neutralise } from './neutralise'
import { blockedText, changeBody, changeTitle, planText, questionsText } from './texts'
import { followedPeople, isProof } from './trust'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const ZERO_WIDTH = /\u200b/g
const seen = (text: string): string => text.replace(ZERO_WIDTH, '')

describe('markers', () => {
  const key = postKey(digest, { installId: 'i', mailboxId: 3, what: 'plan', cause: 'c' })

  test('have keys of 12 hex digits that every part counts for', () => {
    expect(key).toMatch(/^[0-9a-f]{12}$/)
    const others = [
      { installId: 'j', mailboxId: 3, what: 'plan', cause: 'c' },
      { installId: 'i', mailboxId: 4, what: 'plan', cause: 'c' },
      { installId: 'i', mailboxId: 3, what: 'answer', cause: 'c' },
      { installId: 'i', mailboxId: 3, what: 'plan', cause: 'd' },
    ]
    expect(new Set([key, ...others.map((other) => postKey(digest, other))]).size).toBe(5)
  })

  test('are read back from the last line only', () => {
    const body = withMarker('A plan.', { key, kind: 'plan' })
    expect(body).toBe(`A plan.\n\n<!-- agent:key=${key}:kind=plan -->`)
    expect(parseMarker(body)).toEqual({ key, kind: 'plan' })
    expect(parseMarker(`${body.replaceAll('\n', '\r\n')}\r\n`)).toEqual({ key, kind: 'plan' })
    expect(parseMarker(`${body}\n\nThanks!`)).toBeNull()
    expect(parseMarker(`> ${markerLine({ key, kind: 'plan' })}`)).toBeNull()
    expect(parseMarker(`<!-- agent:key=${key}:kind=made_up -->`)).toBeNull()
    expect(parseMarker('')).toBeNull()
    expect(withoutMarker(body)).toBe('A plan.')
    expect(withoutMarker('A plan.')).toBe('A plan.')
  })

  test('cannot be forged by what stands above them', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...markerKindSchema.options), (text, kind) => {
        expect(parseMarker(withMarker(text, { key, kind }))).toEqual({ key, kind })
      }),
    )
  })

  test('let a forge change line endings, and nothing else', () => {
    expect(textSha256(digest, 'a\r\nb\n')).toBe(textSha256(digest, 'a\nb'))
    expect(textSha256(digest, 'a\nb')).not.toBe(textSha256(digest, 'a\nb!'))
  })
})

describe('neutralise', () => {
  test.each([
    ['hidden comments', 'a <!-- agent:section:start --> b', /<!--|-->/],
    ['a hidden comment made of parts', '<!<!---- x ---->>', /<!--|-->/],
    ['mentions', 'ask @root, @org/team and (@all)', /@[a-z]/i],
    ['closing keywords', 'Fixes #12, closes: org/repo#4 and Resolved GH-7', /(?:Fixes|closes|Resolved)\b/],
    [
      'closing keywords in another dress',
      'closes **#12** fix [#3](x) implements issue #4 closes https://x/y/-/issues/3',
      /\b(?:closes|fix|implements)\b/,
    ],
    ['commands at the start of a line', 'x\n/close\n  /assign @me\n> /merge', /^[\s>]*\/[a-z]/m],
    ['text that changes direction', 'a\u202eb\u2066c', /[\u202a-\u202e\u2066-\u2069]/],
  ])('makes %s harmless', (_name, text, harmful) => {
    expect(neutralise(text, 3)).not.toMatch(harmful)
  })

  test('leaves the own issue to be closed, but no list that goes on', () => {
    expect(neutralise('Fixes #3.', 3)).toBe('Fixes #3.')
    expect(neutralise('Fixes #33', 3)).not.toBe('Fixes #33')
    expect(neutralise('Fixes #3, #4', 3)).not.toBe('Fixes #3, #4')
    expect(neutralise('Fixes #3 and #4', 3)).not.toBe('Fixes #3 and #4')
  })

  test('leaves ordinary text as it is', () => {
    const text =
      'Fix the login: see `src/a.ts`, e.g. the e-mail field / its label.\n\n- closes the dialog\n- #7 is related'
    expect(neutralise(text, 3)).toBe(text)
  })

  test('changes nothing that is seen in texts without comments, and needs no second time', () => {
    const noComment = fc.string({ unit: fc.constantFrom('a', '@', '/', '#', '1', ' ', '\n', 'Fixes ', 'b') })
    fc.assert(
      fc.property(noComment, (text) => {
        const once = neutralise(text, 3)
        expect(seen(once)).toBe(text)
        expect(neutralise(once, 3)).toBe(once)
      }),
    )
  })

  test('stays quick on hostile text', () => {
    for (const text of [
      ' '.repeat(200_000),
      '\n'.repeat(200_000),
      'fixes '.repeat(30_000),
      `fixes ${'a/'.repeat(100_000)}`,
    ]) {
      expect(seen(neutralise(text, 3))).toHaveLength(text.length)
    }
  })
})

describe('texts', () => {
  test('say what was cut, never in the middle of a character', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('ab\u{1f680}', 3)).toMatch(/^ab\n\n… 1 more characters/)
    expect(cutText('x'.repeat(90_000), 50_000).length).toBeLessThan(60_000)
  })

  test('keep messages of programs inside their code', () => {
    expect(asCode('a `b`\nc')).toBe('`a  b c`')
  })

  test('end a plan with what to do next', () => {
    expect(planText('Do it.', 3, 'validate')).toContain('`ai::validate_plan`')
    expect(planText('Do it.', 3, 'end')).toContain('ends here')
    expect(planText('Closes #9', 3, 'develop')).not.toContain('Closes #9')
  })

  test('number questions and keep their lines together', () => {
    expect(questionsText(['One?', 'Two\nlines?'], 3)).toContain('1. One?\n2. Two\n   lines?')
  })

  test('close the own issue by their own last line alone', () => {
    expect(changeBody('Done. Closes #9', 3)).toMatch(/^Done\. Cl\u200boses #9\n\nCloses #3$/)
    expect(changeBody(null, 3)).toBe('Closes #3')
  })

  test('name a change by the title of its issue, which closes and calls nobody', () => {
    expect(changeTitle('Slow search', 3)).toBe('Slow search')
    expect(changeTitle('Fixes #3: search', 3)).toBe('Fixes #3: search')
    expect(changeTitle('Fixes #12 for @root\nand closes a/b#4', 3)).toBe(
      'Fi\u200bxes #12 for @\u200broot and cl\u200boses a/b#4',
    )
    expect(changeTitle(`${'x'.repeat(239)}\u{1f680}`, 3)).toBe('x'.repeat(239))
  })

  test('say of a failure what happened and what to do', () => {
    const text = blockedText({
      phase: 'development',
      outcome: 'timed_out',
      failure: { type: 'timed_out', message: '45 minutes' },
    })
    expect(text).toContain('**Development did not succeed:** the time limit was reached.')
    expect(text).toContain('`ai::retry`')
    expect(blockedText({ phase: 'analysis', outcome: 'failed', failure: null })).toContain('did not expect')
  })
})

describe("Alfred's section of a description", () => {
  const section = (text: string): string =>
    `<!-- agent:section:start -->\n\n${text}\n\n<!-- agent:section:end -->`

  test('is added at the end and replaced in place', () => {
    const once = replaceSection('Hello.', 'One')
    expect(once).toBe(`Hello.\n\n${section('One')}`)
    expect(replaceSection(`${once}\nP.S.`, 'Two')).toBe(`Hello.\n\n${section('Two')}\nP.S.`)
    expect(replaceSection('', 'One')).toBe(section('One'))
    expect(withoutSection(`${once}\nP.S.`)).toBe('Hello.\n\nP.S.')
  })

  test('keeps the line endings of the description', () => {
    expect(replaceSection('a\r\nb', 'x\ny')).toBe(`a\r\nb\r\n\r\n${section('x\ny').replaceAll('\n', '\r\n')}`)
  })

  test.each([
    ['without its end', 'a <!-- agent:section:start --> b'],
    ['without its start', 'a <!-- agent:section:end --> b'],
    ['in the wrong order', '<!-- agent:section:end --><!-- agent:section:start -->'],
    ['twice', section('x') + section('y')],
  ])('is left alone when a marker stands there %s', (_name, body) => {
    expect(replaceSection(body, 'x')).toBeNull()
    expect(withoutSection(body)).toBe(body)
  })

  test('never changes a byte of what people wrote around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, after, text) => {
        const body = `${before}\n${section('old')}\n${after}`
        expect(replaceSection(body, text)).toMatch(/^/)
        expect(replaceSection(body, text)?.startsWith(`${before}\n`)).toBe(true)
        expect(replaceSection(body, text)?.endsWith(`\n${after}`)).toBe(true)
      }),
    )
  })

  test('does not count when a plan is compared with its issue', () => {
    const digests = issueDigests(digest, { title: 'T', body: 'Hello.' })
    expect(issueDigests(digest, { title: 'T ', body: replaceSection('Hello.', 'One') ?? '' })).toEqual(
      digests,
    )
    expect(issueDigests(digest, { title: 'T', body: 'Hello!' }).issueSha256).not.toBe(digests.issueSha256)
    expect(issueDigests(digest, { title: 'U', body: 'Hello.' }).issueSha256).not.toBe(digests.issueSha256)
  })
})

describe('trust', () => {
  const day = 24 * 60 * 60 * 1_000
  const event = (by: string, at: number, action: 'added' | 'removed' = 'added') => ({
    id: '1',
    label: 'x',
    action,
    by: { id: by, login: by },
    at,
  })
  const people = (labelEvents: ReturnType<typeof event>[], assignments: ReturnType<typeof event>[] = []) =>
    [
      ...followedPeople({
        accountId: 'bot',
        ownerIds: ['owner'],
        trustedPeople: ['friend'],
        labelEvents,
        assignments,
        now: 100 * day,
      }),
    ].toSorted()

  test('follows the owner, trusted people, and who set a label within 30 days', () => {
    expect(
      people([event('ann', 71 * day), event('old', 69 * day), event('reader', 99 * day, 'removed')]),
    ).toEqual(['ann', 'friend', 'owner'])
  })

  test('follows who put somebody on the issue within 30 days, and no account that is gone', () => {
    const assigned = [event('ann', 71 * day), event('old', 69 * day), event('-1', 99 * day)]
    expect(people([event('-1', 99 * day)], assigned)).toEqual(['ann', 'friend', 'owner'])
  })

  test('never follows texts because Alfred itself set a label', () => {
    expect(people([event('bot', 99 * day)])).not.toContain('bot')
  })

  test('takes a label as a proof only when somebody else than Alfred added it', () => {
    expect(isProof(event('ann', 1), 'bot')).toBe(true)
    expect(isProof(event('bot', 1), 'bot')).toBe(false)
    expect(isProof(event('ann', 1, 'removed'), 'bot')).toBe(false)
    expect(isProof(null, 'bot')).toBe(false)
  })
})
