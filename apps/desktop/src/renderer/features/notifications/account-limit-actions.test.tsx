import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { EngineBanner, StandIn } from '@shared/contract/app'
import { queryKeyOf } from '../../lib/use-query-entry'
import { AccountLimitActions } from './account-limit-actions'

const banner: EngineBanner = {
  code: 'account_limit',
  severity: 'warn',
  facts: { adapter: 'claude-code', until: 9, freeAt: 9 },
}
const codex: StandIn = {
  adapter: 'codex',
  places: [{ scope: 'app', scopeId: 0, key: 'AGENT_ADAPTER', before: null }],
}

/** The buttons by what they say, once the engine has said who could work instead. */
function buttons(standIn: StandIn | null | undefined): readonly string[] {
  const client = new QueryClient()
  if (standIn !== undefined)
    client.setQueryData(queryKeyOf('app.standIn', { adapter: 'claude-code' }), standIn)
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <AccountLimitActions banner={banner} />
    </QueryClientProvider>,
  )
  return html
    .split('</button>')
    .map((button) => button.replaceAll(/<[^>]+>/g, '').trim())
    .filter((label) => label !== '')
}

describe('what can be done about an account that is used up', () => {
  it('offers the agent that could work instead, and what waits', () =>
    expect(buttons(codex)).toEqual(['Use codex for now', 'Show queue']))

  it('leads to the settings where nobody could', () =>
    expect(buttons(null)).toEqual(['Agent settings', 'Show queue']))

  it('offers nobody before that is known', () => expect(buttons(undefined)).toEqual(['Show queue']))
})
