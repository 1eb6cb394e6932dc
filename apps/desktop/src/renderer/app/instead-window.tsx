import type { RestoreReport } from '@shared/contract/restore'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { BrandMark } from '../components/brand-mark'
import { WindowButtons } from '../features/navigation/window-buttons'
import { bridge } from '../lib/bridge'
import { RestoredScreen, StartFailureScreen } from './screens'

interface Props {
  readonly failure: StartFailure | null
  readonly restored: RestoreReport | null
}

/** Why there is no engine (yet), in a frame that can be moved and closed like any other. */
export function InsteadWindow({ failure, restored }: Props) {
  const { platform } = bridge().shell
  return (
    <div className="flex h-full w-full flex-col">
      <header className="titlebar drag-window h-10 flex-none" data-test="title-bar" data-platform={platform}>
        <div className="flex items-center gap-2 pl-3.5 font-[650] tracking-[-.005em]">
          <BrandMark />
          <span>Alfred</span>
        </div>
        <span />
        <div className="no-drag">{platform === 'linux' && <WindowButtons />}</div>
      </header>
      {failure !== null && <StartFailureScreen failure={failure} />}
      {restored !== null && <RestoredScreen report={restored} />}
    </div>
  )
}
