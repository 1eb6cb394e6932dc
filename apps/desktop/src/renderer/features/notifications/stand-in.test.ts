import { expect, it } from 'vitest'
import type { StandIn } from '@shared/contract/app'
import type { engine } from '../../lib/engine-client'
import { giveBack, switchTo } from './stand-in'

const standIn: StandIn = {
  adapter: 'codex',
  places: [
    { scope: 'app', scopeId: 0, key: 'AGENT_ADAPTER', before: null },
    { scope: 'project', scopeId: 4, key: 'AGENT_ADAPTER_ANALYSIS', before: 'claude-code' },
  ],
}

/** Notes what was sent; refuses what is for a project. */
function sender(refuses = false) {
  const sent: string[] = []
  const send = (channel: string, { scope, key, value }: Record<string, unknown>) => {
    sent.push([channel, scope, key, value].join(' ').trim())
    return Promise.resolve(
      refuses && scope === 'project'
        ? { ok: false, error: { type: 'storage_failed', message: 'The disk is full.' } }
        : { ok: true, value: null },
    )
  }
  return { sent, client: { command: send } as unknown as typeof engine }
}

it('names the agent in every place, and puts back what each of them said', async () => {
  const { sent, client } = sender()
  expect(await switchTo(standIn, client)).toBeNull()
  expect(await giveBack(standIn, client)).toBeNull()
  expect(sent).toEqual([
    'settings.set app AGENT_ADAPTER codex',
    'settings.set project AGENT_ADAPTER_ANALYSIS codex',
    'settings.reset app AGENT_ADAPTER',
    'settings.set project AGENT_ADAPTER_ANALYSIS claude-code',
  ])
})

it('changes nothing where one place cannot be changed, and says why', async () => {
  const { sent, client } = sender(true)
  expect(await switchTo(standIn, client)).toBe('The disk is full.')
  expect(sent.at(-1)).toBe('settings.reset app AGENT_ADAPTER')
})
