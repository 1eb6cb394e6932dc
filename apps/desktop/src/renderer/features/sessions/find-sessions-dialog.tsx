import { useRef, useState } from 'react'
import type { BroughtIn } from '@shared/contract/sessions'
import { counted } from '@shared/format'
import type { MailboxId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Dialog, DialogAnswers } from '../../components/dialog'
import { EmptyState } from '../../components/empty-state'
import { SkeletonRows } from '../../components/skeleton'
import { announce } from '../../lib/announcer'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { FoundList, keyOf } from './found-list'
import { sessionProblem } from './strings'
import { useFindSessions, type Look } from './use-find-sessions'

export interface FindSessionsDialogProps {
  readonly mailboxId: MailboxId
  /** `#128` */
  readonly reference: string
  readonly onClose: () => void
}

/** Finds sessions that a person made by hand, in a folder that they name, and binds one to the issue. */
export function FindSessionsDialog({ mailboxId, reference, onClose }: FindSessionsDialogProps) {
  const input = useRef<HTMLInputElement>(null)
  const [folder, setFolder] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const { look, start } = useFindSessions(mailboxId)
  const bind = useCommand('sessions.import')
  const sessions = 'sessions' in look ? look.sessions : []
  const session = sessions.find((one) => keyOf(one) === chosen && one.obstacle === null) ?? null

  const find = (): void => {
    if (folder.trim() === '') return
    setChosen(null)
    bind.clearError()
    void start(folder.trim())
  }
  const confirm = async (): Promise<void> => {
    if (session === null || look.state !== 'done') return
    const { adapter, nativeId } = session
    const result = await bind.run({ mailboxId, adapter, folder: look.folder, nativeId })
    if (!result.ok) return
    onClose()
    tellBound(reference, result.value)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Find sessions"
      className="w-[640px]"
      initialFocus={input}
      test="find-sessions-dialog"
      footer={
        <>
          <span className="min-w-0 grow text-12 text-ink-2" role="status" data-test="find-progress">
            {progressWords(look)}
          </span>
          <DialogAnswers
            confirmLabel={`Bind to ${reference}`}
            isBusy={bind.isBusy}
            disabledReason={session === null ? 'Choose a session first.' : null}
            confirmTest="bind-session"
            onCancel={onClose}
            onConfirm={() => void confirm()}
          />
        </>
      }
    >
      <p className="mt-1 text-13 text-ink-2">
        A session that you made by hand with an agent CLI becomes a memory of {reference}, and its next run
        goes on with it. Only the folder that you name is looked at, and nothing in it is changed: the session
        is copied.
      </p>
      <form
        className="mt-3 grid gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          find()
        }}
      >
        <span className="text-12 text-ink-2" aria-hidden="true">
          Folder
        </span>
        <span className="flex items-center gap-2">
          <input
            ref={input}
            className="input grow font-mono"
            aria-label="Folder"
            placeholder="/home/me"
            value={folder}
            spellCheck={false}
            data-test="find-folder"
            onChange={(event) => setFolder(event.target.value)}
          />
          <Button
            type="submit"
            icon="search"
            label="Find sessions"
            isBusy={look.state === 'looking'}
            disabledReason={folder.trim() === '' ? 'Write the path of a folder.' : null}
            test="find-sessions"
          />
        </span>
        <span className="text-11 text-ink-3">
          Your home, or the folder in which a CLI keeps its sessions, such as{' '}
          <span className="mono">.claude</span>.
        </span>
      </form>
      {look.state === 'failed' && (
        <p role="alert" className="mt-2 text-12 text-bad" data-test="find-problem">
          {look.message}
        </p>
      )}
      {(look.state === 'looking' || look.state === 'done') && (
        <div
          className="card mt-3 max-h-[264px] min-h-[120px] overflow-y-auto"
          aria-busy={look.state === 'looking'}
          data-test="find-results"
          data-state={look.state}
        >
          {sessions.length > 0 && <FoundList sessions={sessions} chosen={chosen} onChoose={setChosen} />}
          {look.state === 'looking' && sessions.length === 0 && <SkeletonRows count={3} height={46} />}
          {look.state === 'done' && sessions.length === 0 && (
            <EmptyState
              motif={{ icon: 'folder' }}
              title={look.problems.length === 0 ? 'No session was found there' : 'No other session was found'}
              test="empty-found-sessions"
            >
              Looked for sessions of {listed(look.adapters)}. They lie in the home of the person who made
              them.
            </EmptyState>
          )}
        </div>
      )}
      {look.state === 'done' && look.problems.length > 0 && (
        <ul role="alert" className="mt-2 grid gap-1 text-12 text-warn" data-test="finder-problems">
          {look.problems.map(({ adapter, message }) => (
            <li key={adapter} data-test="finder-problem" data-adapter={adapter}>
              Sessions of {adapter} could not be looked for. {message}
            </li>
          ))}
        </ul>
      )}
      {bind.error && (
        <p role="alert" className="mt-2 text-12 text-bad" data-test="bind-problem">
          {sessionProblem(bind.error)}
        </p>
      )}
    </Dialog>
  )
}

function progressWords(look: Look): string {
  switch (look.state) {
    case 'none':
    case 'failed':
      return ''
    case 'looking':
      return `Looking for sessions of ${look.adapter}, ${look.done + 1} of ${look.of}…`
    case 'done':
      return `${counted(look.sessions.length, 'session')} found.${look.isCut ? ' There are more; the newest are shown, and “alfred sessions import” binds any of them by its id.' : ''}`
  }
}

function tellBound(reference: string, { runId, isNext, recordsLeftOut }: BroughtIn): void {
  announce(`run ${runId}`, `The session is bound to ${reference}`)
  const notes = [
    isNext ? null : 'The next run uses another agent; “Go on from here” on its row goes on with it.',
    recordsLeftOut === 0 ? null : `${counted(recordsLeftOut, 'record')} could not be read and were left out.`,
  ].filter((note) => note !== null)
  if (notes.length > 0)
    showToast({ title: `The session is bound to ${reference}`, description: notes.join(' ') })
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
