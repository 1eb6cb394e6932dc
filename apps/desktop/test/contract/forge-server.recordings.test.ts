import { describe, expect, it } from 'vitest'
import { mentionsIn } from '../fakes/forge-server/acts/references'
import { startForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'
import { readRecordedScene, recordedScenes } from '../fixtures/forge-recordings'
import { replayScene } from './forge-replay/replay-scene'
import { heldScenes, plans } from './forge-replay/scene-plans'

/*
 * The fake forge answers as the real servers did: the scenes are played against it, and each answer has the same
 * status, the same keys and types, and the same values where these are no ids, hashes or times. What stands beside
 * the scenes' own answers is in forge-replay/scene-plans.ts, with the few exchanges that are left out and why.
 */

const kinds: readonly ForgeServerKind[] = ['gitea', 'gitea-1.26-dev', 'forgejo']
const scenes = kinds.flatMap((kind) =>
  recordedScenes(kind)
    .filter((scene) => heldScenes.includes(scene.slice(0, 2)))
    .map((scene) => [kind, scene] as const),
)

describe('the fake forge is held to the recordings', () => {
  it.each(scenes)('%s: %s', async (kind, scene) => {
    const replayed = await replayScene(kind, scene, plans[scene.slice(0, 2)] ?? {})
    expect(replayed.unlike).toEqual([])
    expect(replayed.held).toBeGreaterThan(10)
  })
})

interface KeywordCase {
  readonly case: string
  readonly body: string
  readonly commit: string | null
  readonly title: string | null
  readonly issue_afterwards: string
}

/** The table of scene 16, without what commits say and without whole addresses, which the fake does not read. */
const keywordCases = (['gitea', 'forgejo'] as const).flatMap((kind) =>
  readRecordedScene(kind, '16-merge-and-close')
    .exchanges.flatMap((exchange) => ('cases' in exchange ? (exchange.cases as readonly KeywordCase[]) : []))
    .filter(({ commit, body }) => commit === null && !body.includes('{url}'))
    .map((each) => [kind, each.case, each] as const),
)

describe('keywords that close an issue', () => {
  it('are recorded', () => {
    expect(keywordCases).toHaveLength(20)
  })

  it.each(keywordCases)('%s: %s', async (kind, name, { title, body, issue_afterwards: after }) => {
    const forge = await startForgeServer({ kind })
    try {
      forge.seed.user('dev')
      forge.seed.organization('acme', { dev: 'write' })
      const repository = await forge.seed.repository('acme/closing')
      for (const issue of ['first', 'second']) forge.seed.issue('acme/closing', { title: issue, by: 'dev' })
      const text = `${title ?? 'A change'}\n${body}`.replaceAll('{n}', '1').replaceAll('{n2}', '2')
      const asked = name.startsWith('two numbers') ? 2 : 1
      const closed = mentionsIn(text, repository, forge.state).filter(({ closes }) => closes)
      expect(closed.some(({ issue }) => issue.number === asked)).toBe(after === 'closed')
    } finally {
      await forge.close()
    }
  })
})
