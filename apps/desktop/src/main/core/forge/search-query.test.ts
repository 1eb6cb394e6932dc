import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIssueQuery, toFullTextQuery } from './search-query'

const empty = { state: 'all', labels: [], assignee: null, author: null, iid: null, terms: [] }

describe('parseIssueQuery', () => {
  it('takes words and phrases as text', () => {
    expect(parseIssueQuery('fix "the build" now')).toEqual({ ...empty, terms: ['fix', 'the build', 'now'] })
  })

  it('understands its filters in any order', () => {
    expect(parseIssueQuery('is:open label:type::bug crash labels:a,b assignee:me author:ada #12')).toEqual({
      state: 'open',
      labels: ['type::bug', 'a', 'b'],
      assignee: 'me',
      author: 'ada',
      iid: 12,
      terms: ['crash'],
    })
  })

  it('takes a quoted value of a filter', () => {
    expect(parseIssueQuery('label:"good first issue" x')).toEqual({
      ...empty,
      labels: ['good first issue'],
      terms: ['x'],
    })
  })

  it('searches for what it does not understand', () => {
    expect(parseIssueQuery('is:weird http://a.b/c color:red label:')).toEqual({
      ...empty,
      terms: ['is:weird', 'http://a.b/c', 'color:red', 'label:'],
    })
  })

  it('leaves out what no index of words can find', () => {
    expect(parseIssueQuery('??? -- "" *')).toEqual(empty)
  })

  it('never fails, and its text is always quoted for the index', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const query = toFullTextQuery(parseIssueQuery(text).terms)
        if (query !== null) expect(query).toMatch(/^(?:"(?:[^"]|"")*"\*)(?: AND "(?:[^"]|"")*"\*)*$/)
      }),
    )
  })
})

describe('toFullTextQuery', () => {
  it('asks for all terms as beginnings of words, with quotes doubled', () => {
    expect(toFullTextQuery(['buil', 'say "hi"'])).toBe('"buil"* AND "say ""hi"""*')
    expect(toFullTextQuery([])).toBeNull()
  })
})
