import type { TrackerIssue } from '@shared/contract/tracker'
import { Button } from '../../components/button'
import { Markdown } from '../../components/markdown'
import { Moment } from '../../components/moment'
import { useMinute } from '../../lib/clock'
import { useCommand } from '../../lib/use-command'
import { TextEditor } from './text-editor'
import { trackerProblem } from './tracker-problem'
import { draftKey, useIssueDraft } from './use-unsent'

export interface IssueBodyProps {
  readonly issue: TrackerIssue
  /** False where the pane around it says the title already. */
  readonly showsTitle: boolean
}

/** Title and text of an issue, read or edited. */
export function IssueBody({ issue, showsTitle }: IssueBodyProps) {
  const [draft, setDraft] = useIssueDraft(draftKey(issue))
  const edit = useCommand('tracker.editIssue')
  const now = useMinute()
  const save = async (): Promise<void> => {
    if (draft === null) return
    const result = await edit.run({
      projectId: issue.projectId,
      iid: issue.iid,
      title: draft.title,
      body: draft.body,
      expectedUpdatedAt: draft.since,
    })
    if (result.ok) setDraft(null)
  }
  if (draft !== null) {
    return (
      <section aria-label="Edit the issue" className="grid gap-2">
        <input
          className="input text-14"
          aria-label="Title"
          data-test="issue-title-input"
          value={draft.title}
          maxLength={255}
          onChange={(event) => setDraft({ ...draft, title: event.target.value })}
        />
        <TextEditor
          label="Description"
          text={draft.body}
          onChange={(body) => setDraft({ ...draft, body })}
          onSubmit={() => void save()}
          onCancel={() => setDraft(null)}
          submitLabel="Save"
          isBusy={edit.isBusy}
          submitReason={draft.title.trim() === '' ? 'A title is needed.' : null}
          problem={edit.error === null ? null : trackerProblem(edit.error)}
          rows={12}
          isFocused
          test="issue-body-input"
          submitTest="save-issue"
        />
      </section>
    )
  }
  return (
    <section aria-label="Description">
      <div className="mb-2 flex items-start gap-2">
        <div className="grow">
          {showsTitle && (
            <h2 className="text-16 font-semibold" data-test="issue-title">
              {issue.title}
            </h2>
          )}
          <p className="text-12 leading-[22px] text-ink-3">
            {`#${issue.iid} opened by ${issue.author.name} `}
            <Moment at={issue.createdAt} now={now} />
          </p>
        </div>
        <Button
          size="sm"
          icon="pencil"
          label="Edit"
          spokenLabel="Edit title and description"
          test="edit-issue"
          onClick={() => setDraft({ title: issue.title, body: issue.body, since: issue.updatedAt })}
        />
      </div>
      <div data-test="issue-body">
        {issue.body.trim() === '' ? (
          <p className="text-13 text-ink-3">No description.</p>
        ) : (
          <Markdown text={issue.body} />
        )}
      </div>
    </section>
  )
}
