import { useState } from 'react'
import type { InstallationRow } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { EmptyState } from '../../components/empty-state'
import { Notice } from '../../components/notice'
import { SkeletonRows } from '../../components/skeleton'
import { queryClient } from '../../lib/query-client'
import { useCommand } from '../../lib/use-command'
import { queryKeyOf, useQueryEntry } from '../../lib/use-query-entry'
import { AddImageDialog } from './add-image-dialog'
import { groupInstallations, installationKey } from './group-installations'
import { ImageBar } from './image-bar'
import { agentsProblem } from './agents-problem'
import { InstallationInspector } from './installation-inspector'
import { InstallationTable } from './installation-table'
import { UnverifiedNotices } from './unverified-notices'

/** Installations of agent CLIs, by image: versions, and whether each can resume. */
export function AgentsScreen() {
  const { data: rows } = useQueryEntry('app.agents', {})
  const { data: images } = useQueryEntry('app.agentImages', {})
  const check = useCommand('app.checkAgents')
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isAdding, setAdding] = useState(false)

  const groups = rows && groupInstallations(rows)
  const selected = rows?.find((row) => installationKey(row) === selectedKey) ?? groups?.[0]?.rows[0] ?? null
  const checkAll = (): void => {
    void check.run({}).then((result) => {
      if (result.ok) queryClient.setQueryData(queryKeyOf('app.agents', {}), result.value)
    })
  }
  const select = (row: InstallationRow): void => {
    setSelectedKey(installationKey(row))
    setSheetOpen(true)
  }
  const showImage = (digest: string): void => {
    const now = queryClient.getQueryData<readonly InstallationRow[]>(queryKeyOf('app.agents', {})) ?? []
    const inImage = groupInstallations(now).find(({ imageDigest }) => imageDigest === digest)?.rows ?? []
    const first = inImage.find(({ version }) => version !== null) ?? inImage[0]
    if (first) setSelectedKey(installationKey(first))
  }
  return (
    <div className="flex min-h-0 min-w-0 flex-1" data-test="agents-screen">
      <main className="flex min-w-0 flex-1 flex-col bg-surface" data-pane="agents">
        <div className="flex h-[52px] flex-none items-center gap-2.5 border-b border-line px-4">
          <h1 className="text-16 font-semibold">Agents</h1>
          <span className="cut text-12 text-ink-3">
            One line per CLI in a runner, checked daily and after image changes.
          </span>
          <span className="grow" />
          <Button icon="retry" label="Check all" isBusy={check.isBusy} test="check-all" onClick={checkAll} />
          <Button icon="plus" label="Add image" test="add-image" onClick={() => setAdding(true)} />
        </div>
        <ImageBar />
        <div className="min-h-0 grow overflow-y-auto">
          {check.error && (
            <Notice tone="bad" icon="circle-x" className="m-4" title="The check did not work." isAlert>
              {agentsProblem(check.error)}
            </Notice>
          )}
          {!rows && <SkeletonRows count={6} height={40} />}
          {rows?.length === 0 && (
            <EmptyState
              motif={{ icon: 'cpu' }}
              title="No agent is installed yet"
              actions={<Button icon="retry" label="Check all" onClick={checkAll} />}
            >
              The image that Alfred builds brings the demo agent; a base image of yours can bring others.
            </EmptyState>
          )}
          {groups?.map((group) => (
            <InstallationTable
              key={group.key}
              group={group}
              image={images?.find(({ digest }) => digest === group.imageDigest)}
              selectedKey={selected && installationKey(selected)}
              onSelect={select}
            />
          ))}
          {rows && <UnverifiedNotices rows={rows} />}
        </div>
      </main>
      {selected && (
        <aside
          className="hidden w-[336px] flex-none overflow-y-auto border-l border-line bg-bg px-4 py-3.5 wide:block"
          aria-label="Installation"
          data-pane="installation"
        >
          <InstallationInspector key={installationKey(selected)} row={selected} />
        </aside>
      )}
      <AddImageDialog isOpen={isAdding} onOpenChange={setAdding} onAdded={showImage} />
      {selected && (
        <Dialog
          isOpen={isSheetOpen && window.innerWidth < 1081}
          onOpenChange={setSheetOpen}
          title="Installation"
        >
          <div className="mt-3">
            <InstallationInspector key={installationKey(selected)} row={selected} />
          </div>
        </Dialog>
      )}
    </div>
  )
}
