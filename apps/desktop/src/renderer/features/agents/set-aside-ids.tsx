import type { AgentHistoryRow } from '@shared/contract/app'
import { shortId } from '@shared/format'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { announce } from '../../lib/announcer'
import { openView } from '../../lib/navigation/store'
import { homeView } from '../../lib/navigation/view'
import { runErrorText } from '../../lib/run-error-text'
import { useCommand } from '../../lib/use-command'

type SetAsideId = AgentHistoryRow['setAside'][number]

/** Ids that failed twice in a row and are not tried by themselves; a person can have one tried again. */
export function SetAsideIds({ ids }: { readonly ids: readonly SetAsideId[] }) {
  if (ids.length === 0) return null
  return (
    <section data-test="set-aside-ids">
      <h3 className="mb-1.5 text-12 font-semibold">Ids set aside</h3>
      <ul className="grid gap-1.5">
        {ids.map((id) => (
          <Row key={`${id.mailboxId} ${id.nativeSessionId}`} id={id} />
        ))}
      </ul>
    </section>
  )
}

function Row({ id: { mailboxId, iid, nativeSessionId, reason, sessionId } }: { readonly id: SetAsideId }) {
  const request = useCommand('runs.request')
  const tryAgain = async (): Promise<void> => {
    if (sessionId === null) return
    const result = await request.run({ mailboxId, phase: null, resumeChoice: `session:${sessionId}` })
    if (result.ok) announce(`run ${result.value.runId}`, `Run ${result.value.runId} is queued`)
  }
  return (
    <li className="grid gap-1" data-test="set-aside-id" data-value={reason}>
      <div className="flex flex-wrap items-center gap-x-2 text-12 text-ink-2">
        <CopyId id={nativeSessionId} text={shortId(nativeSessionId)} what="session id" className="text-11" />
        <span>
          failed twice,{' '}
          <button
            type="button"
            className="link"
            aria-label={`Issue #${iid}`}
            onClick={() => openView({ ...homeView, mailboxId })}
          >
            {`#${iid}`}
          </button>
        </span>
        <span className="grow" />
        <Button
          size="sm"
          label="Try again"
          spokenLabel={`Try the id of issue #${iid} again`}
          isBusy={request.isBusy}
          disabledReason={sessionId === null ? 'No session of this issue has the id any more.' : null}
          test="try-set-aside-id"
          onClick={() => void tryAgain()}
        />
      </div>
      {request.error && (
        <p className="text-12 text-bad" role="alert">
          {runErrorText(request.error)}
        </p>
      )}
    </li>
  )
}
