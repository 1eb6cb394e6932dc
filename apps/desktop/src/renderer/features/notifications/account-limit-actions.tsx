import { useState } from 'react'
import type { EngineBanner, StandIn } from '@shared/contract/app'
import { adapterIdSchema, type AdapterId } from '@shared/model/words'
import { Button } from '../../components/button'
import { engine } from '../../lib/engine-client'
import { openHome, openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { showToast } from '../../lib/toasts'
import { useQueryEntry } from '../../lib/use-query-entry'
import { giveBack, switchTo } from './stand-in'

/** What can be done while the account of an agent is used up: let another one work, or see what waits. */
export function AccountLimitActions({ banner }: { readonly banner: EngineBanner }) {
  const adapter = adapterIdSchema.safeParse(banner.facts['adapter'])
  return (
    <>
      {adapter.success && <SwitchAction used={adapter.data} />}
      <Button size="md2" label="Show queue" test="show-queue" onClick={showQueue} />
    </>
  )
}

/** Runs that wait are among those that are live. */
const showQueue = (): void => openHome({ filter: 'running', projectId: null, mailboxId: null })
const chooseAgent = (): void => openView({ ...settingsView, key: 'AGENT_ADAPTER' })

function SwitchAction({ used }: { readonly used: AdapterId }) {
  const { data: standIn } = useQueryEntry('app.standIn', { adapter: used })
  const [isBusy, setBusy] = useState(false)
  if (standIn === undefined) return null
  if (standIn === null) return <Button size="md2" label="Agent settings" onClick={chooseAgent} />
  const use = async (): Promise<void> => {
    setBusy(true)
    await useInstead(used, standIn)
    setBusy(false)
  }
  return (
    <Button
      size="md2"
      label={`Use ${standIn.adapter} for now`}
      isBusy={isBusy}
      test="use-stand-in"
      onClick={() => void use()}
    />
  )
}

async function useInstead(used: AdapterId, standIn: StandIn): Promise<void> {
  const problem = await switchTo(standIn, engine)
  if (problem !== null) return showToast({ title: 'The agent was not changed.', description: problem })
  showToast({
    title: `New runs use ${standIn.adapter}`,
    description: `Runs that wait already go on waiting for ${used}, which has their memory.`,
    action: { label: 'Undo', onPress: () => void undo(used, standIn) },
  })
}

async function undo(used: AdapterId, standIn: StandIn): Promise<void> {
  const problem = await giveBack(standIn, engine)
  if (problem !== null) showToast({ title: `${used} was not put back everywhere.`, description: problem })
}
