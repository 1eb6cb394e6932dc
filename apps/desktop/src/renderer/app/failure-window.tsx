import type { StartFailure } from '@shared/contract/shell-bridge'
import { BrandMark } from '../components/brand-mark'
import { WindowButtons } from '../features/navigation/window-buttons'
import { bridge } from '../lib/bridge'
import { StartFailureScreen } from './screens'

/** Why there is no engine, in a frame that can be moved and closed like any other. */
export function FailureWindow({ failure }: { readonly failure: StartFailure }) {
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
      <StartFailureScreen failure={failure} />
    </div>
  )
}
