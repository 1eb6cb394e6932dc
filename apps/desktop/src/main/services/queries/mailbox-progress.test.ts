import { describe, expect, it } from 'vitest'
import { mailboxProgress } from './mailbox-progress'

type Facts = Parameters<typeof mailboxProgress>[0]
const progress = (patch: Partial<Omit<Facts, 'mailbox'> & Facts['mailbox']>) => {
  const { status = null, kind = 'issue', isOpen = true, ...rest } = patch
  const steps = mailboxProgress({
    mailbox: { kind, status, isOpen },
    labels: [],
    requiresValidation: true,
    checks: 'may_come',
    isMerged: true,
    latestRun: null,
    ...rest,
  })
  return steps.map(({ step, state }) => `${step} ${state}`)
}

describe('the progress of an issue', () => {
  it('is all ahead before anything happened', () =>
    expect(progress({})).toEqual([
      'analysis ahead',
      'plan_validated ahead',
      'development ahead',
      'ci ahead',
      'review ahead',
      'merge ahead',
    ]))

  it('has no stations for a merge request', () =>
    expect(progress({ kind: 'merge_request', status: 'in_review' })).toEqual([]))

  it('stands at the validation while the plan waits', () =>
    expect(progress({ status: 'waiting_validation' }).slice(0, 3)).toEqual([
      'analysis done',
      'plan_validated current',
      'development ahead',
    ]))

  it('leaves the validation out where none is required', () =>
    expect(progress({ status: 'in_development', requiresValidation: false })).toContain(
      'development current',
    ))

  it('shows the step that failed of a blocked issue', () =>
    expect(
      progress({ status: 'blocked', latestRun: { phase: 'development', outcome: 'failed', state: 'ended' } }),
    ).toContain('development failed'))

  it('has one step for a question', () =>
    expect(progress({ status: 'technical_analysis', labels: ['type::question'] })).toEqual([
      'answer current',
    ]))

  it('claims no merge of a change that was closed without one', () => {
    const merge = (isMerged: boolean) => progress({ status: 'done', isMerged }).at(-1)
    expect([merge(true), merge(false)]).toEqual(['merge done', 'merge ahead'])
    expect(progress({ status: 'done', isMerged: false })).toContain('review done')
  })

  it('never claims checks that were not there', () => {
    const ci = (patch: Parameters<typeof progress>[0]) =>
      progress(patch).filter((text) => text.startsWith('ci'))
    for (const status of ['in_review', 'done'] as const) {
      expect(ci({ status })).toEqual([])
      expect(ci({ status, checks: 'seen' })).toEqual(['ci done'])
    }
    expect(ci({ status: 'in_ci' })).toEqual(['ci current'])
    expect(ci({ status: 'in_development', checks: 'never' })).toEqual([])
  })

  it('is done when the issue is', () =>
    expect(new Set(progress({ status: 'done' }).map((text) => text.split(' ')[1]))).toEqual(
      new Set(['done']),
    ))
})
