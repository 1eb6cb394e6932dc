import { useState } from 'react'
import type { ForgeId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { SkeletonRows } from '../../components/skeleton'
import { useQueryEntry } from '../../lib/use-query-entry'
import { ConnectForm } from './connect-form'
import { ForgeCard } from './forge-card'

/** Gitea and Forgejo servers: those that are connected, and connecting one more. `access`: the one to mend. */
export function ForgesScreen({ access = null }: { readonly access?: ForgeId | null | undefined }) {
  const { data: forges } = useQueryEntry('forges.list', {})
  const [isConnecting, setConnecting] = useState(false)
  const [connected, setConnected] = useState<ForgeId | null>(null)
  const isFirst = forges?.length === 0
  const isFormOpen = isFirst || isConnecting
  return (
    <main
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface"
      data-pane="forges"
      data-test="forges-screen"
    >
      <div className="flex h-[52px] flex-none items-center gap-2.5 border-b border-line px-4">
        <h1 className="text-16 font-semibold">{isFirst ? 'Connect a forge' : 'Forges'}</h1>
        <span className="cut text-12 text-ink-3">
          Gitea and Forgejo servers whose issues Alfred works on.
        </span>
        <span className="grow" />
        {!isFormOpen && forges && (
          <Button
            variant="primary"
            icon="plus"
            label="Connect a forge"
            test="connect-another"
            onClick={() => setConnecting(true)}
          />
        )}
      </div>
      <div
        className="min-h-0 grow overflow-y-auto p-4"
        role="region"
        aria-label="Connected forges"
        tabIndex={0}
      >
        <div className="grid max-w-[760px] gap-4">
          {!forges && <SkeletonRows count={4} height={48} />}
          {isFormOpen && (
            <ConnectForm
              onConnected={({ forgeId }) => {
                setConnecting(false)
                setConnected(forgeId)
              }}
              onCancel={isFirst ? null : () => setConnecting(false)}
            />
          )}
          {forges?.map((forge) => (
            <ForgeCard
              key={`${forge.forgeId} ${forge.forgeId === access}`}
              forge={forge}
              isNew={forge.forgeId === connected}
              asksForAccess={forge.forgeId === access}
            />
          ))}
        </div>
      </div>
    </main>
  )
}
