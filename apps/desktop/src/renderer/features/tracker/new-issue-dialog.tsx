import { useRef, useState } from 'react'
import type { ProjectId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { Select } from '../../components/select'
import { Switch } from '../../components/switch'
import { openHome, openView } from '../../lib/navigation/store'
import { openOverlay } from '../../lib/overlays'
import { engine } from '../../lib/engine-client'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { CreateForm } from './create-form'
import { trackerProblem } from './tracker-problem'

export interface NewIssueDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Chosen first; null: the first project of the built-in forge. */
  readonly projectId: ProjectId | null
}

export function NewIssueDialog({ isOpen, onOpenChange, projectId }: NewIssueDialogProps) {
  const title = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="New issue"
      initialFocus={title}
      className="w-[560px]"
      test="new-issue-dialog"
    >
      {isOpen && <Form projectId={projectId} titleRef={title} onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

const types = [
  { value: 'none', label: 'No type' },
  { value: 'type::task', label: 'Task' },
  { value: 'type::bug', label: 'Bug' },
  { value: 'type::question', label: 'Question', note: 'answered in a comment' },
  { value: 'type::analysis', label: 'Analysis', note: 'ends at the plan' },
] as const

interface FormProps {
  readonly projectId: ProjectId | null
  readonly titleRef: { current: HTMLInputElement | null }
  readonly onDone: () => void
}

function Form({ projectId, titleRef, onDone }: FormProps) {
  const { data: projects } = useQueryEntry('tracker.listProjects', {})
  const { data: people } = useQueryEntry('tracker.listPeople', {})
  const [chosen, setChosen] = useState<ProjectId | null>(projectId)
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const [type, setType] = useState<(typeof types)[number]['value']>('none')
  const [isForAlfred, setForAlfred] = useState(true)
  const create = useCommand('tracker.createIssue')

  const project = projects?.find((one) => one.id === chosen) ?? projects?.[0]
  const alfred = people?.find((person) => person.isAlfred)
  const reason = !project ? 'There is no project yet.' : title.trim() === '' ? 'A title is needed.' : null
  const submit = async (): Promise<void> => {
    if (!project || reason !== null) return
    const result = await create.run({
      projectId: project.id,
      title: title.trim(),
      body,
      labels: type === 'none' ? [] : [type],
      assignees: isForAlfred && alfred ? [alfred.login] : [],
    })
    if (!result.ok) return
    onDone()
    await show(project.id, `${project.organization}/${project.slug}`, result.value.iid)
  }
  if (projects?.length === 0) {
    return (
      <div className="mt-2 grid gap-3">
        <p className="text-13 text-ink-2">The built-in forge has no project yet.</p>
        <Button
          variant="primary"
          icon="plus"
          label="New project"
          className="justify-self-start"
          onClick={() => openOverlay({ kind: 'new-project' })}
        />
      </div>
    )
  }
  return (
    <CreateForm
      problem={create.error ? trackerProblem(create.error) : null}
      disabledReason={reason}
      isBusy={create.isBusy}
      onSubmit={() => void submit()}
      onCancel={onDone}
      test="create-issue"
    >
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Project"
          value={String(project?.id ?? '')}
          onChange={(next) => setChosen(projects?.find((one) => String(one.id) === next)?.id ?? null)}
          options={
            projects?.map((one) => ({ value: String(one.id), label: `${one.organization}/${one.slug}` })) ??
            []
          }
          test="issue-project"
        />
        <Select label="Type" value={type} onChange={setType} options={types} test="issue-type" />
      </div>
      <input
        ref={titleRef}
        className="input text-14"
        aria-label="Title"
        placeholder="Title"
        maxLength={255}
        value={title}
        data-test="issue-title-input"
        onChange={(event) => setTitle(event.target.value)}
      />
      <textarea
        className="input"
        aria-label="Description"
        placeholder="What should be different, and how one sees that it is"
        rows={8}
        value={body}
        data-test="issue-body-input"
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
        }}
      />
      <div className="flex items-center gap-2 text-12">
        <Switch label="Assign to Alfred" isOn={isForAlfred} onChange={setForAlfred} test="issue-for-alfred" />
        <span aria-hidden="true">
          {isForAlfred ? 'Alfred takes it up at once' : 'Alfred leaves it alone until it is assigned'}
        </span>
      </div>
    </CreateForm>
  )
}

/** Goes to the mailbox of the new issue if there is one already, else to the issue on the built-in forge. */
async function show(projectId: ProjectId, projectPath: string, iid: number): Promise<void> {
  const found = await engine.query('mailboxes.find', { projectPath, iid }).catch(() => null)
  if (found) openHome({ filter: 'all-open', projectId, mailboxId: found.mailboxId })
  else openView({ screen: 'tracker', projectId, iid })
}
