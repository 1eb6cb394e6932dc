import type { ChangedFile, RunDetail } from '@shared/contract/runs'
import { DiffCounts } from '../../components/diff-lines'
import { PathText } from '../../components/path-text'
import { onRovingKey, rovingButton } from '../../lib/keyboard/roving-buttons'
import { FactsTitle } from './facts-title'
import { isLive } from './run-words'

export interface FilesSectionProps {
  readonly detail: RunDetail
  readonly onOpenFile: (path: string) => void
}

const statusWords: Readonly<Record<ChangedFile['status'], string | null>> = {
  added: 'new',
  modified: null,
  deleted: 'deleted',
  renamed: 'renamed',
  copied: 'copied',
  type_changed: 'type changed',
}

const sum = (files: readonly ChangedFile[], of: (file: ChangedFile) => number | null): number =>
  files.reduce((total, file) => total + (of(file) ?? 0), 0)

/** The files that the run changed; each opens in the diff. */
export function FilesSection({ detail, onOpenFile }: FilesSectionProps) {
  const { changedFiles } = detail
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys of the buttons inside
    <section data-test="changed-files" aria-label="Changed files" onKeyDown={onRovingKey}>
      <FactsTitle icon="file" title="Changed files">
        {changedFiles.length > 0 && (
          <span className="inline-flex gap-1.5">
            {`${changedFiles.length} ·`}
            <DiffCounts
              added={sum(changedFiles, (file) => file.added)}
              deleted={sum(changedFiles, (file) => file.deleted)}
            />
          </span>
        )}
      </FactsTitle>
      {changedFiles.length === 0 && (
        <p className="text-12 text-ink-3">
          {isLive(detail.row) ? 'Told at the end of the run.' : 'Nothing was changed.'}
        </p>
      )}
      {changedFiles.map((file, index) => (
        <button
          key={file.path}
          type="button"
          className="facts-line"
          data-test="changed-file"
          data-value={file.path}
          {...rovingButton(index === 0)}
          onClick={() => onOpenFile(file.path)}
        >
          <PathText path={file.path} className="grow" />
          {statusWords[file.status] && (
            <span className="flex-none text-11 text-ink-3">{statusWords[file.status]}</span>
          )}
          <DiffCounts added={file.added} deleted={file.deleted} />
        </button>
      ))}
    </section>
  )
}
