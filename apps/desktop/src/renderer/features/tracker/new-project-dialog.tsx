import { useRef, useState, type ReactNode } from 'react'
import { Dialog } from '../../components/dialog'
import { Segmented } from '../../components/segmented'
import { openHome } from '../../lib/navigation/store'
import { showToast } from '../../lib/toasts'
import { useCommand } from '../../lib/use-command'
import { CreateForm } from './create-form'
import { trackerProblem } from './tracker-problem'

export interface NewProjectDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** A project of the built-in forge: empty, or with all branches of a repository on this computer. */
export function NewProjectDialog({ isOpen, onOpenChange }: NewProjectDialogProps) {
  const name = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="New project"
      initialFocus={name}
      test="new-project-dialog"
    >
      {isOpen && <Form nameRef={name} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

type Kind = 'empty' | 'import'

interface FormProps {
  readonly nameRef: { current: HTMLInputElement | null }
  readonly onDone: () => void
}

function Form({ nameRef, onDone }: FormProps) {
  const [kind, setKind] = useState<Kind>('empty')
  const [name, setName] = useState('')
  const [organization, setOrganization] = useState('local')
  const [path, setPath] = useState('')
  const create = useCommand('tracker.createProject')
  const reason =
    name.trim() === ''
      ? 'A name is needed.'
      : kind === 'import' && path.trim() === ''
        ? 'Write the path of the repository.'
        : null
  const submit = async (): Promise<void> => {
    if (reason !== null) return
    const source =
      kind === 'empty' ? ({ kind: 'empty' } as const) : ({ kind: 'import', path: path.trim() } as const)
    const result = await create.run({ organization: organization.trim(), name: name.trim(), source })
    if (!result.ok) return
    onDone()
    openHome({ filter: 'all-open', projectId: result.value.id, mailboxId: null })
    showToast({
      title: `${result.value.organization}/${result.value.slug} is there`,
      description: `git clone ${result.value.remotePath}`,
    })
  }
  return (
    <CreateForm
      problem={create.error ? trackerProblem(create.error) : null}
      disabledReason={reason}
      isBusy={create.isBusy}
      onSubmit={() => void submit()}
      onCancel={onDone}
      test="create-project"
    >
      <div className="justify-self-start">
        <Segmented<Kind>
          label="What is in it"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'empty', label: 'Empty', test: 'project-empty' },
            { value: 'import', label: 'From a folder', test: 'project-import' },
          ]}
        />
      </div>
      <p className="text-12 text-ink-2">
        {kind === 'empty'
          ? 'A repository with one commit on main, and a tracker for its issues. All of it stays on this computer.'
          : 'All branches and tags of a git repository on this computer are copied. The folder itself is only read.'}
      </p>
      <Labelled label="Name">
        <input
          ref={nameRef}
          className="input"
          aria-label="Name"
          maxLength={100}
          value={name}
          data-test="project-name"
          onChange={(event) => setName(event.target.value)}
        />
      </Labelled>
      <Labelled label="Organization">
        <input
          className="input font-mono"
          aria-label="Organization"
          maxLength={63}
          value={organization}
          spellCheck={false}
          data-test="project-organization"
          onChange={(event) => setOrganization(event.target.value)}
        />
      </Labelled>
      {kind === 'import' && (
        <Labelled label="Path of the repository">
          <input
            className="input font-mono"
            aria-label="Path of the repository"
            placeholder="/home/me/code/thing"
            value={path}
            spellCheck={false}
            data-test="project-path"
            onChange={(event) => setPath(event.target.value)}
          />
        </Labelled>
      )}
    </CreateForm>
  )
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <span className="text-12 text-ink-2" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  )
}
