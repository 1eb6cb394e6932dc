import { describe, expect, it } from 'vitest'
import type { AdapterId } from '@shared/model/words'
import type { Installation } from '../../ports/stores'
import { adaptersNamed } from '../../../../test/fakes/adapters-named'
import { chooseAdapter } from './choose-adapter'

const installed = (adapter: AdapterId, patch: Partial<Installation> = {}): Installation => ({
  adapter,
  runner: 'container',
  imageDigest: 'sha256:1',
  version: '1.0.0',
  resumable: true,
  reason: null,
  loginState: 'not_needed',
  detectedAt: 0,
  ...patch,
})

const choose = (patch: Partial<Parameters<typeof chooseAdapter>[0]>) =>
  chooseAdapter({
    settings: { AGENT_ADAPTER: null, AGENT_RUNNER: 'container' },
    project: { isDemo: false },
    installations: [installed('demo'), installed('codex')],
    adapters: adaptersNamed('demo', 'fake', 'codex', 'opencode'),
    allowsDemonstration: false,
    ...patch,
  })

describe('the adapter of a run', () => {
  it('is the first installed one that is no demonstration', () =>
    expect(choose({})).toEqual({ ok: true, value: 'codex' }))

  it('is the demo agent in the demo project', () =>
    expect(choose({ project: { isDemo: true } })).toEqual({ ok: true, value: 'demo' }))

  it('is the one that the settings name', () =>
    expect(choose({ settings: { AGENT_ADAPTER: 'opencode', AGENT_RUNNER: 'container' } })).toEqual({
      ok: true,
      value: 'opencode',
    }))

  it('is never the demo agent in a real project, not even by name', () =>
    expect(choose({ settings: { AGENT_ADAPTER: 'demo', AGENT_RUNNER: 'container' } })).toMatchObject({
      error: { type: 'no_agent' },
    }))

  it('is none of those that this version does not have, named or once installed', () => {
    const adapters = adaptersNamed('demo')
    const settings = { AGENT_ADAPTER: 'claude-code', AGENT_RUNNER: 'container' } as const
    expect(choose({ settings, adapters })).toMatchObject({
      error: { type: 'no_agent', message: 'claude-code is not part of this version.' },
    })
    const message = 'This version has the demo agent only, and it works in the demo project only.'
    expect(choose({ adapters })).toMatchObject({ error: { type: 'no_agent', message } })
    expect(choose({ adapters, settings: { ...settings, AGENT_ADAPTER: 'demo' } })).toMatchObject({
      error: { type: 'no_agent', message },
    })
  })

  it('is none that only an older image had', () => {
    const installations = [
      installed('codex', { imageDigest: 'sha256:2', version: null, detectedAt: 2 }),
      installed('codex', { detectedAt: 1 }),
      installed('opencode'),
    ]
    expect(choose({ installations })).toEqual({ ok: true, value: 'opencode' })
  })

  it('is none when nothing is installed where runs execute', () => {
    const elsewhere = [installed('codex', { version: null }), installed('codex', { runner: 'host' })]
    expect(choose({ installations: elsewhere })).toMatchObject({ error: { type: 'no_agent' } })
  })
})
