import { expect } from 'vitest'
import type { SessionRecord } from '@shared/contract/sessions'

/** The first run of an issue began its session; the second one asked for exactly that one, and it grew. */
export function expectRemembered([first, second]: readonly SessionRecord[]): void {
  expect(first).toMatchObject({
    mode: 'fresh',
    resumed: false,
    resumeFallback: 'no_prior_session',
    sessionName: 'agent/issue-1-add-a-slug-helper',
    nativeSessionId: expect.stringMatching(/^(?:[0-9a-f-]{36}|ses_\w{26})$/),
  })
  expect(second).toMatchObject({
    mode: 'resume',
    resumed: true,
    resumeFallback: null,
    sessionName: first?.sessionName,
    nativeSessionId: first?.nativeSessionId,
    requestedSessionId: first?.nativeSessionId,
    stateBytesBefore: first?.stateBytesAfter,
  })
  expect(second?.stateBytesAfter).toBeGreaterThan(second?.stateBytesBefore ?? 0)
}
