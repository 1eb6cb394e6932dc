import type { StandIn } from '@shared/contract/app'
import type { engine as client } from '../../lib/engine-client'

type Engine = Pick<typeof client, 'command'>
type Place = StandIn['places'][number]

/** Names the agent in each place; where one cannot be changed, none is. null: done; else why not. */
export async function switchTo({ adapter, places }: StandIn, engine: Engine): Promise<string | null> {
  const done: Place[] = []
  for (const place of places) {
    const { scope, scopeId, key } = place
    const set = await engine.command('settings.set', { scope, scopeId, key, value: adapter })
    if (!set.ok) {
      await giveBack({ places: done }, engine)
      return wordsOf(set.error)
    }
    done.push(place)
  }
  return null
}

/** Each place says again what it said before. null: done; else why the first one that could not be changed was not. */
export async function giveBack({ places }: Pick<StandIn, 'places'>, engine: Engine): Promise<string | null> {
  let problem: string | null = null
  for (const { scope, scopeId, key, before } of places) {
    const result =
      before === null && scope === 'app'
        ? await engine.command('settings.reset', { scope, scopeId, key })
        : await engine.command('settings.set', { scope, scopeId, key, value: before })
    if (!result.ok) problem ??= wordsOf(result.error)
  }
  return problem
}

const wordsOf = (error: object): string =>
  'message' in error && typeof error.message === 'string'
    ? error.message
    : 'Alfred itself failed. The log has the details.'
