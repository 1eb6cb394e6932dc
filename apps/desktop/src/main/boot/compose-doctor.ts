import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalForge } from '../adapters/forge/local/open-local-forge'
import type { AgentsService } from '../services/agents/agents-service'
import type { ForgesService } from '../services/forges/forges-service'
import { createDoctorService, type DoctorParts, type DoctorService } from '../services/doctor/doctor-service'
import { forgeChecks } from '../services/doctor/forge-checks'
import { hasAgentForProjects } from '../services/runs/choose-adapter'
import type { EngineAdapters } from './compose-adapters'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'

export function composeDoctor(
  options: EngineOptions,
  data: OwnedData,
  outside: EngineAdapters,
  agents: AgentsService,
  forges: ForgesService,
): DoctorService {
  const { store, randomness, folder: dataFolder } = data
  const { adapters, appUser, desktop, disk, docker, git, local, sandboxFiles } = outside
  return createDoctorService({
    runtime: docker,
    git,
    disk,
    desktop,
    sandboxFiles,
    randomness,
    installId: store.installId(),
    dataFolder,
    appUser,
    secretStorage: () =>
      Promise.resolve(
        options.keyring === undefined
          ? withoutKeyring(dataFolder)
          : { state: 'keyring', detail: 'the system keyring' },
      ),
    findImage: () => agents.findImage(),
    installations: (image) => agents.installationsIn(image),
    hasAgentForProjects: hasAgentForProjects(adapters),
    forges: () =>
      store.forges
        .listForges()
        .filter(({ kind }) => kind === 'local')
        .map((forge) => ({ name: forge.name, kind: forge.kind, check: () => checkForge(local) })),
    connectedForges: () => forgeChecks(forges),
  })
}

function withoutKeyring(dataFolder: string): Awaited<ReturnType<DoctorParts['secretStorage']>> {
  return existsSync(join(dataFolder, 'secrets.json'))
    ? { state: 'file', detail: 'secrets.json, which only your user can read' }
    : {
        state: 'none',
        detail: 'no system keyring here; tokens are read from ALFRED_TOKEN_… in the environment',
      }
}

async function checkForge(local: LocalForge): Promise<string | null> {
  const account = await local.forge.account()
  return account.ok ? null : account.error.message
}
