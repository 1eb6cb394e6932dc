import { useState } from 'react'
import type { TrackerIssue } from '@shared/contract/tracker'
import { BrandMark } from '../../components/brand-mark'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { Menu, MenuItem } from '../../components/menu'
import { useQueryEntry } from '../../lib/use-query-entry'
import { LabelChip } from './label-chip'
import { useIssueActions } from './use-issue-actions'

/** Who works on the issue and how it is labelled; what changes it, and what Alfred takes up. */
export function IssueSide({ issue }: { readonly issue: TrackerIssue }) {
  const actions = useIssueActions(issue)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
      {actions.problem !== null && (
        <p role="alert" className="text-12 text-bad">
          {actions.problem}
        </p>
      )}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-1.5" aria-label="Actions">
        {actions.isAlfreds ? (
          <Button
            icon="x"
            label="Take away from Alfred"
            isBusy={actions.isBusy}
            test="unassign-alfred"
            onClick={actions.takeFromAlfred}
          />
        ) : (
          <Button
            variant="primary"
            icon="play"
            label="Assign to Alfred"
            isBusy={actions.isBusy}
            disabledReason={issue.isOpen ? null : 'The issue is closed. Reopen it first.'}
            test="assign-alfred"
            onClick={actions.giveToAlfred}
          />
        )}
        <Button
          icon={issue.isOpen ? 'circle-check' : 'circle-dot'}
          label={issue.isOpen ? 'Close the issue' : 'Reopen the issue'}
          isBusy={actions.isBusy}
          test={issue.isOpen ? 'close-issue' : 'reopen-issue'}
          onClick={actions.toggleOpen}
        />
      </section>
      <People issue={issue} actions={actions} />
      <Labels issue={issue} actions={actions} />
    </div>
  )
}

type Actions = ReturnType<typeof useIssueActions>

function People({ issue, actions }: { readonly issue: TrackerIssue; readonly actions: Actions }) {
  const { data: people } = useQueryEntry('tracker.listPeople', {})
  const others =
    people?.filter((person) => !issue.assignees.some((assignee) => assignee.id === person.id)) ?? []
  return (
    <section aria-label="Assignees">
      <div className="mb-1 flex items-center gap-2">
        <h2 className="grow text-12 font-semibold">Assignees</h2>
        <Menu
          trigger={
            <Button
              size="sm"
              variant="quiet"
              isIconOnly
              icon="plus"
              label="Assign somebody"
              test="add-assignee"
            />
          }
        >
          {others.length === 0 && (
            <MenuItem label="Everybody is assigned" disabledReason="nobody left" onSelect={() => undefined} />
          )}
          {others.map((person) => (
            <MenuItem
              key={person.id}
              label={person.name}
              icon="user"
              onSelect={() => actions.assign(person.login)}
            />
          ))}
        </Menu>
      </div>
      {issue.assignees.length === 0 && <p className="text-12 text-ink-3">Nobody.</p>}
      {issue.assignees.map((person) => (
        <p
          key={person.id}
          className="flex min-h-6 items-center gap-1.5 text-12"
          data-test="issue-assignee"
          data-value={person.login}
        >
          {person.isAlfred ? <BrandMark size={13} /> : <Icon name="user" size={13} className="text-ink-3" />}
          <span className="cut grow">{person.name}</span>
          <Button
            size="sm"
            variant="quiet"
            isIconOnly
            icon="x"
            label={`Unassign ${person.name}`}
            onClick={() => actions.unassign(person.login)}
          />
        </p>
      ))}
    </section>
  )
}

function Labels({ issue, actions }: { readonly issue: TrackerIssue; readonly actions: Actions }) {
  const { data: labels } = useQueryEntry('tracker.listLabels', { projectId: issue.projectId })
  const [name, setName] = useState('')
  const others = labels?.filter((label) => !issue.labels.some((own) => own.name === label.name)) ?? []
  const add = (label: string): void => {
    if (label.trim() === '') return
    const isKnown = labels?.some((known) => known.name === label.trim()) ?? false
    if (isKnown) actions.addLabel(label.trim())
    else actions.addNewLabel(label.trim())
    setName('')
  }
  return (
    <section aria-label="Labels">
      <div className="mb-1 flex items-center gap-2">
        <h2 className="grow text-12 font-semibold">Labels</h2>
        <Menu
          trigger={
            <Button size="sm" variant="quiet" isIconOnly icon="plus" label="Add a label" test="add-label" />
          }
        >
          {others.length === 0 && (
            <MenuItem label="No other label" disabledReason="write one below" onSelect={() => undefined} />
          )}
          {others.map((label) => (
            <MenuItem key={label.name} label={label.name} icon="tag" onSelect={() => add(label.name)} />
          ))}
        </Menu>
      </div>
      <div className="flex flex-wrap gap-1">
        {issue.labels.length === 0 && <span className="text-12 text-ink-3">None.</span>}
        {issue.labels.map((label) => (
          <LabelChip key={label.name} label={label} onRemove={() => actions.removeLabel(label.name)} />
        ))}
      </div>
      <form
        className="mt-2 flex gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          add(name)
        }}
      >
        <input
          className="input min-w-0 flex-1"
          aria-label="New label"
          placeholder="New label"
          value={name}
          data-test="new-label"
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          label="Add"
          disabledReason={name.trim() === '' ? 'Write a name first.' : null}
        />
      </form>
    </section>
  )
}
