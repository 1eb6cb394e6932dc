import { useEffect, useRef, useState } from 'react'
import type { ConnectedForge } from '@shared/contract/forges'
import { counted } from '@shared/format'
import { forgeKindNames } from '@shared/forge-words'
import { Button } from '../../components/button'
import { Chip } from '../../components/chip'
import { ConfirmDialog } from '../../components/dialog'
import { Notice } from '../../components/notice'
import { useCommand } from '../../lib/use-command'
import { AccessDialog } from './access-dialog'
import { forgeProblem } from './forge-problem'
import { ProjectLabels } from './project-labels'
import { ProjectPicker } from './project-picker'

const noneChosen: ReadonlySet<string> = new Set()

export interface ForgeCardProps {
  readonly forge: ConnectedForge
  /** It was connected just now: the focus goes on here. */
  readonly isNew: boolean
  /** Its access is to be mended: opens with that. */
  readonly asksForAccess: boolean
}

/** One connected forge: as whom Alfred works there, on which projects, and what their labels lack. */
export function ForgeCard({ forge, isNew, asksForAccess }: ForgeCardProps) {
  const { forgeId, name, kind, baseUrl, accountLogin, hasToken, projects, environmentName } = forge
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) heading.current?.focus()
  }, [isNew])
  const [isAdding, setAdding] = useState(false)
  const [asks, setAsks] = useState<'access' | 'remove' | null>(asksForAccess ? 'access' : null)
  const watch = useCommand('forges.watch')
  const unwatch = useCommand('forges.unwatch')
  const remove = useCommand('forges.remove')
  const problem = watch.error ?? unwatch.error ?? remove.error
  return (
    <section className="card" aria-label={name} data-test="forge-card" data-value={name}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 ref={heading} tabIndex={-1} className="cut text-14 font-semibold" title={baseUrl}>
          {name}
        </h2>
        <Chip text={forgeKindNames[kind]} />
        <Chip text={`as ${accountLogin}`} icon="user" />
        {!hasToken && (
          <Chip
            text="token missing"
            icon="warning"
            tone="bad"
            title={`Looked for in the system keyring and in ${environmentName}.`}
          />
        )}
        <span className="grow" />
        <Button
          size="sm"
          icon="lock"
          label="Access"
          spokenLabel={`Token and CA file of ${name}`}
          test="change-access"
          onClick={() => setAsks('access')}
        />
        <Button
          size="sm"
          icon="trash"
          label="Remove"
          spokenLabel={`Remove ${name}`}
          test="remove-forge"
          onClick={() => setAsks('remove')}
        />
      </div>
      {problem !== null && (
        <Notice tone="bad" icon="circle-x" className="m-3" isAlert test="forge-card-problem">
          {forgeProblem(problem)}
        </Notice>
      )}
      <ul aria-label={`Projects of ${name}`}>
        {projects.map(({ projectId, path, isWatched }) => (
          <li
            key={projectId}
            className="grid gap-1 border-b border-line px-4 py-2"
            data-test="watched-project"
            data-value={path}
            data-state={isWatched ? 'watched' : 'not-watched'}
          >
            <div className="flex items-center gap-2">
              <span className="cut grow font-mono text-12">{path}</span>
              {!isWatched && <Chip text="not watched" tone="warn" icon="pause" />}
              <Button
                size="sm"
                variant="quiet"
                label={isWatched ? 'Stop watching' : 'Watch'}
                spokenLabel={isWatched ? `Stop watching ${path}` : `Watch ${path}`}
                test="toggle-watch"
                onClick={() => void (isWatched ? unwatch.run({ projectId }) : watch.run({ forgeId, path }))}
              />
            </div>
            {hasToken && <ProjectLabels forgeId={forgeId} path={path} />}
          </li>
        ))}
      </ul>
      <div className="grid gap-2 px-4 py-2.5">
        {projects.length === 0 && !isAdding && (
          <p className="text-12 text-ink-2">No project of this forge is watched yet.</p>
        )}
        {projects.some(({ isWatched }) => isWatched) && (
          <p className="text-12 text-ink-2">
            {`Assign an issue to ${accountLogin} there; Alfred takes it up when it looks again.`}
          </p>
        )}
        {isAdding && (
          <ProjectPicker
            target={{ forgeId }}
            chosen={noneChosen}
            taken={new Set(projects.map(({ path }) => path))}
            onToggle={(path) => void watch.run({ forgeId, path })}
          />
        )}
        <div>
          <Button
            size="sm"
            icon={isAdding ? 'check' : 'plus'}
            label={isAdding ? 'Done' : 'Add projects'}
            spokenLabel={isAdding ? undefined : `Add projects of ${name}`}
            disabledReason={hasToken ? null : 'The token is missing.'}
            test="add-forge-projects"
            onClick={() => setAdding(!isAdding)}
          />
        </div>
      </div>
      <AccessDialog
        forge={forge}
        isOpen={asks === 'access'}
        onOpenChange={(open) => setAsks(open ? 'access' : null)}
      />
      <ConfirmDialog
        isOpen={asks === 'remove'}
        title={`Remove ${name}?`}
        text={`Runs, memories and workspaces of ${counted(projects.length, 'project')} are removed for good. Nothing changes on the forge.`}
        cancelLabel="Keep"
        confirmLabel="Remove"
        isBusy={remove.isBusy}
        onCancel={() => setAsks(null)}
        onConfirm={() => {
          setAsks(null)
          void remove.run({ forgeId })
        }}
        confirmTest="confirm-remove-forge"
      />
    </section>
  )
}
