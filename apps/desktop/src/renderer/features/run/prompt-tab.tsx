import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SkeletonRows } from '../../components/skeleton'
import { copyText } from '../../lib/shell'
import { useQueryEntry } from '../../lib/use-query-entry'

/** What the agent was told, as it was told. */
export function PromptTab({ runId }: { readonly runId: RunId }) {
  const { data, error } = useQueryEntry('runs.prompt', { runId })
  if (error)
    return (
      <Notice tone="bad" icon="circle-x" className="m-4" title="The prompt could not be read.">
        {error.message}
      </Notice>
    )
  if (!data) return <SkeletonRows count={8} height={24} />
  if (data.text === '')
    return (
      <EmptyState motif={{ icon: 'file-text' }} title="No prompt yet">
        It is written when the run starts.
      </EmptyState>
    )
  return (
    <div className="relative flex min-h-0 grow flex-col">
      <pre
        className="min-h-0 grow overflow-auto p-4 text-12 leading-[18px] whitespace-pre-wrap [overflow-wrap:anywhere] selectable"
        aria-label="Prompt"
        data-test="run-prompt"
        tabIndex={0}
      >
        {data.text}
      </pre>
      <Button
        size="sm"
        icon="copy"
        label="Copy"
        className="absolute top-2.5 right-4"
        onClick={() => copyText(data.text)}
      />
    </div>
  )
}
