import { describe, expect, it } from 'vitest'
import type { AdapterId } from '@shared/model/words'
import type { BuiltImage, Installation } from '../../ports/stores'
import { createAgentAdapters } from '../../adapters/agents/agent-adapters'
import { createApiAdapter } from '../../adapters/agents/api/api-adapter'
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

const settings = (adapter: AdapterId | null, model: string | null = null) =>
  ({
    AGENT_ADAPTER: adapter,
    AGENT_RUNNER: 'container',
    AGENT_MODEL: model,
    AGENT_IMAGE: null,
    AGENT_IMAGE_CLIS: [],
  }) as const

const built = (digest: string, patch: Partial<BuiltImage> = {}): BuiltImage => ({
  digest,
  tag: `alfred-agent:${digest}`,
  base: 'node:24-bookworm-slim',
  agents: ['demo'],
  sizeBytes: 1,
  recipeSha256: digest,
  builtAt: 1,
  ...patch,
})

const choose = (patch: Partial<Parameters<typeof chooseAdapter>[0]>) =>
  chooseAdapter({
    settings: settings(null),
    phase: 'development',
    project: { isDemo: false },
    installations: [installed('demo'), installed('codex')],
    images: [],
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
    expect(choose({ settings: settings('opencode') })).toEqual({
      ok: true,
      value: 'opencode',
    }))

  it('is never the demo agent in a real project, not even by name', () =>
    expect(choose({ settings: settings('demo') })).toMatchObject({
      error: { type: 'no_agent' },
    }))

  it('is none of those that this version does not have, named or once installed', () => {
    const adapters = adaptersNamed('demo')
    expect(choose({ settings: settings('claude-code'), adapters })).toMatchObject({
      error: { type: 'no_agent', message: 'claude-code is not part of this version.' },
    })
    const message = 'This version has the demo agent only, and it works in the demo project only.'
    expect(choose({ adapters })).toMatchObject({ error: { type: 'no_agent', message } })
    expect(choose({ adapters, settings: settings('demo') })).toMatchObject({
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

  describe('is by what is in the image that runs are in, whatever was looked into last:', () => {
    const codex = (imageDigest: string, version: string | null, detectedAt: number): Installation =>
      installed('codex', { imageDigest, version, detectedAt })
    const opencode = installed('opencode', { imageDigest: 'new' })
    const clis = { ...settings(null), AGENT_IMAGE_CLIS: ['opencode', 'codex'] } as const
    const withClis = { agents: ['demo', 'codex', 'opencode'] } as const

    it.each<readonly [string, Parameters<typeof choose>[0], AdapterId]>([
      [
        'an older image that lacks the CLI',
        {
          installations: [codex('old', null, 9), codex('new', '1.0.0', 1), opencode],
          images: [built('old'), built('new', { builtAt: 2 })],
        },
        'codex',
      ],
      [
        'an older image that had it',
        {
          installations: [codex('old', '1.0.0', 9), codex('new', null, 1), opencode],
          images: [built('new', { builtAt: 2, base: 'collected' }), built('old')],
        },
        'opencode',
      ],
      [
        'an image that was added for another base',
        {
          installations: [codex('java', null, 9), codex('new', '1.0.0', 1), opencode],
          images: [built('java', { base: 'java:21', builtAt: 9 }), built('new')],
        },
        'codex',
      ],
      [
        "the app's image, where the project has one of its own",
        {
          settings: { ...settings(null), AGENT_IMAGE: 'java:21' },
          installations: [codex('java', '1.0.0', 1), codex('new', null, 9), opencode],
          images: [built('java', { base: 'java:21' }), built('new', { builtAt: 9 })],
        },
        'codex',
      ],
      [
        'the image without the CLIs that were chosen',
        {
          settings: clis,
          installations: [codex('plain', null, 9), codex('new', '1.0.0', 1), opencode],
          images: [built('plain', { builtAt: 9 }), built('new', withClis)],
        },
        'codex',
      ],
    ])('%s', (_, facts, expected) => expect(choose(facts)).toEqual({ ok: true, value: expected }))
  })

  it('is none when nothing is installed where runs execute', () => {
    const elsewhere = [installed('codex', { version: null }), installed('codex', { runner: 'host' })]
    expect(choose({ installations: elsewhere })).toMatchObject({ error: { type: 'no_agent' } })
  })
})

describe('an agent that is for some phases only', () => {
  const api = createApiAdapter({ program: {} })
  const adapters = createAgentAdapters([api, ...adaptersNamed('codex').all()])
  const named = settings('api', 'some-model')

  it('is taken for them where the settings name it, and a model', () => {
    expect(choose({ adapters, settings: named, phase: 'analysis' })).toEqual({ ok: true, value: 'api' })
    expect(choose({ adapters, settings: named, phase: 'answer' })).toEqual({ ok: true, value: 'api' })
  })

  it.each([
    [
      'development',
      named,
      'api is for analysis and answer only. Name another agent in AGENT_ADAPTER_DEVELOPMENT.',
    ],
    ['terminal', named, 'api is for analysis and answer only. Name another agent in AGENT_ADAPTER.'],
    ['analysis', settings('api'), 'api has no model of its own. Name one in AGENT_MODEL.'],
  ] as const)('is not taken for %s, and it says what to do', (phase, of, message) => {
    expect(choose({ adapters, settings: of, phase })).toEqual({
      ok: false,
      error: { type: 'no_agent', message },
    })
  })

  it('is never taken because it is the first that is there', () => {
    const installations = [installed('api'), installed('codex')]
    expect(choose({ adapters, installations, phase: 'analysis' })).toEqual({ ok: true, value: 'codex' })
  })
})
