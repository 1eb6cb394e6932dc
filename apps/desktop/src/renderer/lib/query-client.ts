import { QueryClient } from '@tanstack/react-query'

/** The engine is on this computer and tells what changed: nothing goes stale by age, nothing is asked twice in vain. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: 10 * 60_000,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
