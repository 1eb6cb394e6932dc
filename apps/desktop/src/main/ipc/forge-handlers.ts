import type { forgesContract } from '@shared/contract/forges'
import { ok } from '@shared/result'
import type { ForgesService } from '../services/forges/forges-service'
import type { HandlersOf } from './dispatch'

export function createForgeHandlers(forges: ForgesService): HandlersOf<typeof forgesContract> {
  return { ...forges, list: async () => ok(await forges.list()) }
}
