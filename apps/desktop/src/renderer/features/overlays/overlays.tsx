import { useOverlays } from '../../lib/overlays'
import { RetryFreshConfirm, StopAllConfirm, StopConfirm, TakeOverConfirm } from './confirmations'
import { DropMemoryConfirm, ForkMemoryConfirm } from './memory-confirmations'
import { KeyList } from './key-list'
import { OpenLinkConfirm } from './open-link-confirm'
import { Palette } from './palette'
import { QuitDialog } from './quit-dialog'

/** What lies over the window now; those of other features (new issue) are shown by them. */
export function Overlays() {
  const overlay = useOverlays((state) => state.overlay)
  switch (overlay?.kind) {
    case 'palette':
      return <Palette />
    case 'keys':
      return <KeyList />
    case 'quit':
      return <QuitDialog />
    case 'stop':
      return <StopConfirm runId={overlay.runId} />
    case 'stop-all':
      return <StopAllConfirm />
    case 'retry-fresh':
      return <RetryFreshConfirm runId={overlay.runId} letter={overlay.letter} />
    case 'take-over':
      return <TakeOverConfirm runId={overlay.runId} letter={overlay.letter} owner={overlay.owner} />
    case 'drop-memory':
      return <DropMemoryConfirm memory={overlay.memory} />
    case 'fork-memory':
      return <ForkMemoryConfirm memory={overlay.memory} />
    case 'open-link':
      return <OpenLinkConfirm url={overlay.url} />
    case 'find-sessions':
    case 'new-issue':
    case 'new-project':
    case undefined:
      return null
  }
}
