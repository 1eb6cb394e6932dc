import { environmentName } from '../adapters/secrets/create-secrets'
import type { ForgeParts } from '../services/forges/forge-parts'
import { createForgesService, type ForgesService } from '../services/forges/forges-service'
import type { EngineAdapters } from './compose-adapters'
import type { OwnedData } from './open-data'

export const composeForges = (
  { store, clock, secrets }: OwnedData,
  { connector }: EngineAdapters,
  inside: Pick<ForgeParts, 'changes' | 'removeData' | 'onProjectsChanged' | 'pollNow'>,
): ForgesService => createForgesService({ store, clock, secrets, connector, environmentName, ...inside })
