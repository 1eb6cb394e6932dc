import { useState } from 'react'
import { counted } from '@shared/format'
import { Button } from '../../components/button'
import { Chip } from '../../components/chip'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SearchInput } from '../../components/search-input'
import { SkeletonRows } from '../../components/skeleton'
import type { CommandInput } from '../../lib/engine-client'
import { useProjects } from './use-projects'

export interface ProjectPickerProps {
  readonly target: CommandInput<'forges.projects'>['target']
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (path: string, isChosen: boolean) => void
  /** Each is taken as it is chosen: these are, and are not offered again. */
  readonly taken?: ReadonlySet<string>
}

/** Projects that the account may write, to choose from. */
export function ProjectPicker({ target, chosen, onToggle, taken }: ProjectPickerProps) {
  const [text, setText] = useState('')
  const { found, problem, isAsking, askAgain } = useProjects(target, text)
  const projects = found?.projects.filter(({ path }) => taken?.has(path) !== true) ?? []
  return (
    <div className="grid gap-1.5">
      <SearchInput label="Find a project" value={text} onChange={setText} test="find-forge-project" />
      {problem !== null && (
        <Notice
          tone="bad"
          icon="circle-x"
          title={
            'forgeId' in target
              ? 'The forge is connected, but its projects could not be read.'
              : 'The projects could not be read.'
          }
          test="forge-projects-problem"
          actions={
            <Button size="sm" label="Try again" isBusy={isAsking} test="list-again" onClick={askAgain} />
          }
        >
          {problem}
        </Notice>
      )}
      {(found !== null || problem === null) && (
        <div
          className="card max-h-[232px] min-h-[58px] overflow-y-auto"
          role="group"
          aria-label="Projects"
          aria-busy={isAsking}
          data-test="forge-projects"
        >
          {found === null && problem === null && <SkeletonRows count={3} height={30} />}
          {found !== null && projects.length === 0 && (
            <EmptyState
              motif={{ icon: 'folder' }}
              title={text.trim() === '' ? 'No project to choose' : `Nothing found for “${text.trim()}”`}
              test="empty-forge-projects"
            >
              {text.trim() === ''
                ? 'The account may write no further project there. Give it write access, then look again.'
                : 'Names and owners of projects that the account may write were searched.'}
            </EmptyState>
          )}
          {projects.map(({ path, isPrivate, isEmpty }) => (
            <label
              key={path}
              className="flex h-[30px] cursor-pointer items-center gap-2 border-b border-line px-3 text-12 last:border-b-0 hover:bg-hover"
              data-test="forge-project"
              data-value={path}
            >
              <input
                type="checkbox"
                className="size-3.5 flex-none accent-accent"
                checked={chosen.has(path)}
                onChange={(event) => onToggle(path, event.target.checked)}
              />
              <span className="cut grow font-mono">{path}</span>
              {isEmpty && <Chip text="nothing pushed yet" tone="warn" icon="warning" />}
              {isPrivate && <Chip text="private" icon="lock" />}
            </label>
          ))}
        </div>
      )}
      {found !== null && (
        <p className="text-11 text-ink-3" role="status">
          {totalWords(found, taken === undefined ? chosen.size : null)}
        </p>
      )}
    </div>
  )
}

function totalWords(
  { total, isWhole }: { readonly total: number; readonly isWhole: boolean },
  chosen: number | null,
): string {
  const all = `${counted(total, 'project')} that the account may write${isWhole ? '' : ', and more that were not read'}.`
  if (chosen === null) return all
  return `${all} ${chosen === 0 ? 'None chosen.' : `${chosen} chosen.`}`
}
