import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClientProvider } from '@tanstack/react-query'
import { Toaster } from '../components/toaster'
import { TooltipPopup } from '../components/tooltip'
import { bridge } from '../lib/bridge'
import { queryClient } from '../lib/query-client'
import { InsteadWindow } from './instead-window'
import { LiveRegion } from './live-region'
import { MainWindow } from './main-window'

/** The page: either the window on an engine, or why there is none. */
export function App() {
  const { startFailure, restored } = bridge().shell
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={450}>
          {startFailure === null && restored === null ? (
            <MainWindow />
          ) : (
            <InsteadWindow failure={startFailure} restored={restored} />
          )}
          <TooltipPopup />
          <Toaster />
          <LiveRegion />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
