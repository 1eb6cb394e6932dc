import { join } from 'node:path'
import type { Project } from '@shared/model/records'
import { createAgentAdapters } from '../adapters/agents/agent-adapters'
import { createApiAdapter } from '../adapters/agents/api/api-adapter'
import { readApiAgent } from '../adapters/agents/api/api-program'
import { createClaudeCodeAdapter } from '../adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '../adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '../adapters/agents/copilot/copilot-adapter'
import { createDemoAdapter, demoEnvironment } from '../adapters/agents/demo/demo-adapter'
import { createGrokBuildAdapter } from '../adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '../adapters/agents/opencode/opencode-adapter'
import { createDockerRuntime } from '../adapters/container/docker/docker-runtime'
import { createAgentImageRecipe } from '../adapters/container/image/agent-image-recipe'
import { createSandboxFiles } from '../adapters/container/sandbox-files'
import { createStreamFiles } from '../adapters/container/stream-file'
import { createAgentHistory } from '../adapters/db/agent-history'
import { createDailyBackups } from '../adapters/db/daily-backups'
import { createTimelineReader } from '../adapters/db/timeline-reader'
import { createTranscriptSearch } from '../adapters/db/transcript-search'
import { createDataRemover } from '../adapters/disk/data-remover'
import { createDisk } from '../adapters/disk/disk'
import { createLoginFiles } from '../adapters/disk/login-files'
import { createForgejoConnector } from '../adapters/forge/forgejo/connect/forgejo-connector'
import { openLocalForge } from '../adapters/forge/local/open-local-forge'
import { createGit, removeLeftQuarantine } from '../adapters/git/create-git'
import { createHostRuntime } from '../adapters/host-runner/host-runtime'
import { ensureHostTools } from '../adapters/host-runner/host-tools'
import { createRunFolders } from '../adapters/run-folder/run-folders'
import { createRunLogs } from '../adapters/run-folder/run-logs'
import { createHandMadeSessions, removeLeftCopies } from '../adapters/session-import/hand-made-sessions'
import { createSessionStates } from '../adapters/session-state/session-states'
import { createDesktopServices } from '../adapters/system/desktop-services'
import { alfredWords, createTerminalPrograms } from '../adapters/terminal/terminal-programs'
import { sandboxLabels } from '../core/sandbox/sandbox-spec'
import { createDataPaths } from '../services/runs/data-paths'
import { createRunFiles } from '../services/runs/run-files'
import { createSettingReader } from '../services/settings/setting-values'
import { createConnectedForges } from './connected-forges'
import { chosenDataFolder } from './data-folder'
import type { AroundPort, EngineOptions } from './engine-options'
import type { OwnedData } from './open-data'
import { appUserOfProcess, personOfComputer } from './surroundings'

/** What the services stand on: containers, git, forges, agents and the disk. */
export type EngineAdapters = Awaited<ReturnType<typeof composeAdapters>>

export async function composeAdapters(options: EngineOptions, data: OwnedData) {
  const { store, clock, redact, db, folder: dataFolder } = data
  const around: AroundPort = options.aroundPort ?? ((_name, port) => port)
  const settings = createSettingReader(store)
  const disk = createDisk()
  const scratchFolder = join(dataFolder, 'git')
  await removeLeftQuarantine(scratchFolder)
  const stagingFolder = join(dataFolder, 'session-copies')
  await removeLeftCopies(stagingFolder)
  const copies = { stagingFolder, nativeBinding: options.nativeBinding }
  const git = createGit({ scratchFolder, holdsSecret: data.holdsSecret })
  const paths = createDataPaths(dataFolder)
  const adapters = createAgentAdapters(
    options.adapters ?? [
      createClaudeCodeAdapter(),
      createCodexAdapter(),
      createOpencodeAdapter(),
      createCopilotAdapter(),
      createGrokBuildAdapter(),
      createApiAdapter({ program: await readApiAgent(options.resourcesFolder) }),
      createDemoAdapter({ environment: demoEnvironment(process.env) }),
    ],
  )
  const states = around('states', createSessionStates(disk, copies))
  const sandboxFiles = around(
    'sandboxFiles',
    createSandboxFiles({ resourcesFolder: options.resourcesFolder, dataFolder }),
  )
  const folders = around('folders', createRunFolders())
  const files = around(
    'files',
    createRunFiles({
      folders,
      logs: createRunLogs(),
      streams: createStreamFiles(clock),
      sandboxFiles,
      paths,
      redact,
    }),
  )
  const probeFolder = join(dataFolder, 'login-probes', 'now')
  const probeFiles = createRunFiles({
    folders,
    logs: createRunLogs(),
    streams: createStreamFiles(clock),
    sandboxFiles,
    paths: { ...paths, run: (uid) => join(probeFolder, uid) },
    redact,
  })
  const appUser = appUserOfProcess()
  const engineUid = data.randomness.uuidV4()
  // Kept here, since it is asked for with every call, the last ones after the database was closed.
  let endpoint = settings.app().DOCKER_ENDPOINT
  const docker = around(
    'docker',
    createDockerRuntime({
      endpointSetting: () => endpoint,
      clock,
      labels: { [sandboxLabels.install]: store.installId(), [sandboxLabels.engine]: engineUid },
    }),
  )
  const remover = createDataRemover(dataFolder)
  const host = around(
    'host',
    createHostRuntime({
      clock,
      remover,
      logger: data.logger,
      folder: join(dataFolder, 'host-runner'),
      toolsFolder: await ensureHostTools(join(dataFolder, 'host-tools'), options.resourcesFolder),
    }),
  )
  const local = openLocalForge({
    db,
    forges: store.forges,
    clock,
    runGit: git.runGit,
    dataFolder,
    person: personOfComputer(),
  })
  const localForge = around('forge', local.forge)
  const connector = createForgejoConnector({ now: () => clock.now() })
  const connectedForge = createConnectedForges({ store, secrets: data.secrets, clock, connector })
  const forgeOf = (project: Project) => {
    const record = store.forges.getForge(project.forgeId)
    if (record.kind === 'local') return localForge
    const forge = connectedForge(record)
    // The other kinds come with an issue of their own; until then nothing can make a project of them.
    if (forge === null) throw new Error(`there is no adapter for ${record.kind} yet`)
    return around('forge', forge)
  }

  return {
    settings,
    disk,
    desktop: createDesktopServices({ platform: process.platform, environment: process.env }),
    git: around('git', git),
    paths,
    adapters,
    states,
    handMade: createHandMadeSessions(copies),
    sandboxFiles,
    loginFiles: createLoginFiles(),
    folders,
    files,
    probeFiles,
    probeFolder,
    appUser,
    engineUid,
    docker,
    host,
    local,
    forgeOf,
    connector,
    programs: createTerminalPrograms({
      environment: process.env,
      platform: process.platform,
      alfred: alfredWords({
        executable: process.execPath,
        builtFolder: join(options.resourcesFolder, '..', 'out', 'main'),
        platform: process.platform,
        home: chosenDataFolder(process),
      }),
    }),
    recipe: createAgentImageRecipe(options.resourcesFolder),
    timeline: createTimelineReader(db),
    past: createAgentHistory(db),
    transcripts: createTranscriptSearch(db),
    remover,
    backups: createDailyBackups({
      file: db.name,
      resourcesFolder: options.resourcesFolder,
      nativeBinding: options.nativeBinding,
    }),
    dockerEndpoint: () => endpoint,
    /** The setting was changed. */
    readDockerEndpoint: (): void => {
      endpoint = settings.app().DOCKER_ENDPOINT
    },
  }
}
