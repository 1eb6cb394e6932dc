import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { RunDetail, RunFailure } from '@shared/contract/runs'
import { FailureNotice } from './failure-notice'

const detail = {
  row: { runId: 7, mode: 'none', stateBytesAfter: null },
  timeoutMs: 1,
  sandbox: null,
  retryLetter: null,
} as RunDetail

/** The text that a person reads of it. */
function shown(failure: RunFailure): string {
  const nothing = (): void => undefined
  const html = renderToStaticMarkup(
    <FailureNotice
      detail={detail}
      failure={failure}
      onRetry={nothing}
      onRetryWithMemory={nothing}
      onOpenRawLog={nothing}
      retryReason={null}
    />,
  )
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

it("a refused bundle's reason stands in the sentence; what git said waits behind the check", () =>
  expect(
    shown({
      type: 'bundle_refused',
      message: 'The bundle was refused: its commits could not be read (fatal: x).',
    }),
  ).toBe(
    'The result of this run was not accepted. Its git bundle failed the check: its commits could not be read. Nothing was pushed. The work is kept in the workspace. Show the check Retry Copy details',
  ))

it('of other failures the message is there at once', () =>
  expect(shown({ type: 'result_refused', message: 'result.json: no outcome' })).toContain(
    'result.json: no outcome',
  ))
