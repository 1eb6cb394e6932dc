import type { TrackerComment, TrackerIssue, TrackerLabelEvent } from '@shared/contract/tracker'
import { Button } from '../../components/button'
import { BrandMark } from '../../components/brand-mark'
import { Icon } from '../../components/icon'
import { Markdown } from '../../components/markdown'
import { Moment } from '../../components/moment'
import { useMinute } from '../../lib/clock'
import { useCommand } from '../../lib/use-command'
import { TextEditor } from './text-editor'
import { trackerProblem } from './tracker-problem'
import { draftKey, useCommentDraft } from './use-unsent'

/** What was said and done on an issue, oldest first, and where one answers. */
export function IssueComments({ issue }: { readonly issue: TrackerIssue }) {
  const entries = [
    ...issue.commentList.map((comment) => ({ at: comment.createdAt, key: `c${comment.id}`, comment })),
    ...issue.labelEvents.map((event) => ({ at: event.at, key: `l${event.id}`, event })),
  ].toSorted((a, b) => a.at - b.at)
  return (
    <section aria-label="Comments" className="grid gap-3">
      {entries.map((entry) =>
        'comment' in entry ? (
          <Comment key={entry.key} issue={issue} comment={entry.comment} />
        ) : (
          <LabelEvent key={entry.key} event={entry.event} />
        ),
      )}
      <NewComment issue={issue} />
    </section>
  )
}

function LabelEvent({ event }: { readonly event: TrackerLabelEvent }) {
  const now = useMinute()
  return (
    <p className="flex items-center gap-2 pl-1 text-12 text-ink-3" data-test="label-event">
      <Icon name="tag" size={13} />
      <span className="cut">
        {`${event.by.name} ${event.action === 'added' ? 'set' : 'took off'} `}
        <span className="font-mono text-11 text-ink-2">{event.label}</span>
      </span>
      <Moment className="flex-none" at={event.at} now={now} />
    </p>
  )
}

function Comment({ issue, comment }: { readonly issue: TrackerIssue; readonly comment: TrackerComment }) {
  const [draft, setDraft] = useCommentDraft(draftKey(issue, comment.id))
  const edit = useCommand('tracker.editComment')
  const now = useMinute()
  const save = async (): Promise<void> => {
    if (draft === null) return
    const result = await edit.run({
      projectId: issue.projectId,
      iid: issue.iid,
      commentId: comment.id,
      body: draft,
      expectedUpdatedAt: comment.updatedAt,
    })
    if (result.ok) setDraft(null)
  }
  return (
    <article
      className="card"
      data-test="issue-comment"
      data-value={comment.id}
      aria-label={`Comment of ${comment.author.name}`}
    >
      <header className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-12">
        {comment.author.isAlfred ? (
          <BrandMark size={14} />
        ) : (
          <Icon name="user" size={14} className="text-ink-3" />
        )}
        <b>{comment.author.name}</b>
        <span className="text-ink-3">
          <Moment at={comment.createdAt} now={now} />
          {comment.updatedAt > comment.createdAt && ' · edited'}
        </span>
        <span className="grow" />
        {comment.author.isYou && draft === null && (
          <Button
            size="sm"
            variant="quiet"
            icon="pencil"
            label="Edit"
            spokenLabel="Edit this comment"
            onClick={() => setDraft(comment.body)}
          />
        )}
      </header>
      <div className="px-3 py-2">
        {draft === null ? (
          <Markdown text={withoutMarkers(comment.body)} />
        ) : (
          <TextEditor
            label="Comment"
            text={draft}
            onChange={setDraft}
            onSubmit={() => void save()}
            onCancel={() => setDraft(null)}
            submitLabel="Save"
            isBusy={edit.isBusy}
            submitReason={draft.trim() === '' ? 'A comment needs words.' : null}
            problem={edit.error === null ? null : trackerProblem(edit.error)}
            isFocused
          />
        )}
      </div>
    </article>
  )
}

/** Alfred's own marks are for programs; sanitising would leave an empty line of each. */
const withoutMarkers = (body: string): string => body.replaceAll(/^<!-- agent:[^>]* -->\s*$/gm, '').trimEnd()

function NewComment({ issue }: { readonly issue: TrackerIssue }) {
  const [draft, setDraft] = useCommentDraft(draftKey(issue))
  const text = draft ?? ''
  const comment = useCommand('tracker.comment')
  const send = async (): Promise<void> => {
    if (text.trim() === '') return
    const result = await comment.run({ projectId: issue.projectId, iid: issue.iid, body: text })
    if (result.ok) setDraft(null)
  }
  return (
    <TextEditor
      label="Write a comment"
      text={text}
      onChange={setDraft}
      onSubmit={() => void send()}
      submitLabel="Comment"
      isBusy={comment.isBusy}
      submitReason={text.trim() === '' ? 'Nothing is written yet.' : null}
      problem={comment.error === null ? null : trackerProblem(comment.error)}
      rows={3}
      test="comment-text"
      submitTest="send-comment"
    />
  )
}
