import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClientProvider } from '@tanstack/react-query'
import { Toaster } from '../components/toaster'
import { queryClient } from '../lib/query-client'

export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={450}>
          <div data-test="main-window" />
          <Toaster />
        </Tooltip.Provider>
      </QueryClientProvider>
    </CSPProvider>
  )
}
