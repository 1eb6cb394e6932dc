import type { LocalForge } from '../adapters/forge/local/open-local-forge'
import type { AgentsService } from '../services/agents/agents-service'
import { createDoctorService, type DoctorService } from '../services/doctor/doctor-service'
import { hasAgentForProjects } from '../services/runs/choose-adapter'
import type { EngineAdapters } from './compose-adapters'
import type { EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'

export function composeDoctor(
  options: EngineOptions,
  data: OwnedData,
  outside: EngineAdapters,
  agents: AgentsService,
): DoctorService {
  const { store, randomness, folder: dataFolder } = data
  const { adapters, appUser, disk, docker, git, local, sandboxFiles } = outside
  return createDoctorService({
    runtime: docker,
    git,
    disk,
    sandboxFiles,
    randomness,
    installId: store.installId(),
    dataFolder,
    appUser,
    secretStorage: () =>
      Promise.resolve(
        options.keyring === undefined
          ? {
              state: 'none',
              detail: 'no system keyring here; tokens are read from ALFRED_TOKEN_… in the environment',
            }
          : { state: 'keyring', detail: 'the system keyring' },
      ),
    findImage: () => agents.findImage(),
    installations: (image) => agents.installationsIn(image),
    hasAgentForProjects: hasAgentForProjects(adapters),
    forges: () =>
      store.forges
        .listForges()
        .map((forge) => ({ name: forge.name, kind: forge.kind, check: () => checkForge(local) })),
  })
}

async function checkForge(local: LocalForge): Promise<string | null> {
  const account = await local.forge.account()
  return account.ok ? null : account.error.message
}
