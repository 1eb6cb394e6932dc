import { useState } from 'react'
import type { EngineBanner } from '@shared/contract/app'
import { Button } from '../../components/button'
import { openView } from '../../lib/navigation/store'
import { finishedWorkspaces } from './banner-words'
import { FreeSpaceDialog } from './free-space-dialog'

/** What can be done about a full disk: look at what finished issues hold, and free it. */
export function DiskFullActions({ banner }: { readonly banner: EngineBanner }) {
  const [isOpen, setOpen] = useState(false)
  if (finishedWorkspaces(banner.facts) === null && !isOpen)
    return <Button size="md2" label="Open diagnostics" onClick={() => openView({ screen: 'diagnostics' })} />
  return (
    <>
      <Button
        size="md2"
        icon="hard-drive"
        label="Review and free space"
        test="review-space"
        onClick={() => setOpen(true)}
      />
      {isOpen && <FreeSpaceDialog onClose={() => setOpen(false)} />}
    </>
  )
}
