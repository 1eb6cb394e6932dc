import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sessionsContract } from '@shared/contract/sessions'
import { mailboxesContract } from '@shared/contract/mailboxes'
import { ok } from '@shared/result'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { createSandboxFiles } from '@main/adapters/container/sandbox-files'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createTimelineReader } from '@main/adapters/db/timeline-reader'
import { createDisk } from '@main/adapters/disk/disk'
import { createLoginFiles } from '@main/adapters/disk/login-files'
import { createRunFolders } from '@main/adapters/run-folder/run-folders'
import { createHandMadeSessions } from '@main/adapters/session-import/hand-made-sessions'
import { createSessionStates } from '@main/adapters/session-state/session-states'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import { runCommandLine } from '@main/cli/run-command-line'
import { commands } from '@main/cli/commands/all'
import { createOutput } from '@main/cli/output'
import { createDispatch } from '@main/ipc/dispatch'
import type { HandlersOf } from '@main/ipc/dispatch'
import { createSessionHandlers } from '@main/ipc/session-handlers'
import { createAgentCredentials } from '@main/services/agents/agent-credentials'
import { createDataPaths } from '@main/services/runs/data-paths'
import { createSessionService } from '@main/services/sessions/session-service'
import { createSettingReader } from '@main/services/settings/setting-values'
import { createChangeFeed } from '@main/services/status/change-feed'
import { openTestStore } from './open-test-store'
import { createSettableClock } from './settable-clock'
import { seedMailbox } from './seed-mailbox'
import { silentLogger } from '../integration/support/silent-logger'

/*
 * Sessions by hand on a real database and real folders, as the command line reaches them: issue harbour/pier#1.
 */

export type SessionBench = Awaited<ReturnType<typeof createSessionBench>>

export async function createSessionBench() {
  const opened = openTestStore()
  const { store } = opened
  const folder = await mkdtemp(join(opened.folder, 'data-'))
  const home = await mkdtemp(join(opened.folder, 'home-'))
  const mailboxId = seedMailbox(store, 1)
  const clock = createSettableClock(1_000_000)
  const timeline = createTimelineReader(opened.db)
  const paths = createDataPaths(folder)
  const user = { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000 }
  const sandboxFiles = createSandboxFiles({ resourcesFolder: folder, dataFolder: folder })
  const secrets = { read: () => Promise.resolve(ok(null)) }
  const files = createLoginFiles()
  const credentials = createAgentCredentials({ secrets, files, sandboxFiles, paths, clock, user })
  const copies = {
    stagingFolder: join(folder, 'session-copies'),
    nativeBinding: findNativeBinding(process.env, undefined),
  }
  const byHand = createSessionService({
    store,
    clock,
    randomness: createSystemRandomness(),
    settings: createSettingReader(store),
    adapters: createAgentAdapters([createClaudeCodeAdapter(), createOpencodeAdapter(), createDemoAdapter()]),
    changes: createChangeFeed(clock),
    paths,
    folders: createRunFolders(),
    sandboxFiles,
    states: createSessionStates(createDisk(), copies),
    credentials,
    handMade: createHandMadeSessions(copies),
    user,
    personLogin: 'me',
    allowsDemonstration: true,
  })
  const find: HandlersOf<typeof mailboxesContract>['find'] = ({ projectPath, iid }) => {
    const mailbox = store.mailboxes.find(store.mailboxes.get(mailboxId).projectId, 'issue', iid)
    return ok(projectPath === 'harbour/pier' && mailbox !== null ? { mailboxId: mailbox.id } : null)
  }
  const dispatch = createDispatch(
    { sessions: sessionsContract, mailboxes: { find: mailboxesContract.find } },
    { sessions: createSessionHandlers({ store, timeline, byHand }), mailboxes: { find } },
    { logger: silentLogger, newIncidentId: () => 'incident', checkOutput: true },
  )

  /** A command line and what it leaves: exit code, results, progress and errors. */
  const alfred = async (...words: readonly string[]) => {
    let [stdout, stderr] = ['', '']
    const code = await runCommandLine({
      words,
      program: 'alfred',
      output: createOutput(
        (text) => (stdout += text),
        (text) => (stderr += text),
      ),
      version: '1',
      signal: new AbortController().signal,
      readInput: () => Promise.resolve(''),
      readVariable: () => null,
      connect: () =>
        Promise.resolve(
          ok({
            isOwnProcess: true,
            invoke: dispatch.invoke,
            subscribe: () => Promise.reject(new Error('nothing is followed')),
            close: () => Promise.resolve(),
          }),
        ),
      restore: () => Promise.reject(new Error('nothing is restored')),
      commands,
    })
    return { code, stdout, stderr }
  }
  return {
    store,
    folder,
    home,
    clock,
    mailboxId,
    byHand,
    alfred,
    /** State of the sessions of the demo agent; those of the others lie beside it. */
    state: join(
      folder,
      '.agent-sessions',
      `harbour-${store.mailboxes.get(mailboxId).projectId}-issue-1`,
      'demo',
    ),
    runFolder: paths.run,
    remove: async () => {
      await rm(folder, { recursive: true, force: true })
      opened.remove()
    },
  }
}
