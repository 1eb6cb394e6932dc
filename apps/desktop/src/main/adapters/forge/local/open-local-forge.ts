import { join } from 'node:path'
import type { Forge as ForgeRecord } from '@shared/model/records'
import { toLogin } from '@main/core/forge/login'
import type { Clock } from '@main/ports/clock'
import type { Forge } from '@main/ports/forge'
import type { ForgeStore } from '@main/ports/stores'
import type { Tracker } from '@main/ports/tracker'
import type { RunGit } from '../../git/run-git'
import { removeUnfinished } from './repositories'
import type { LocalContext } from './local-context'
import type { LocalDatabase } from './local-database'
import { createLocalForge } from './local-forge'
import { createLocalStores } from './local-stores'
import { createLocalTracker } from './local-tracker'

export interface LocalForgeOptions {
  readonly db: LocalDatabase
  readonly forges: ForgeStore
  readonly clock: Clock
  readonly runGit: RunGit
  readonly dataFolder: string
  /** Who uses this computer, as the system knows them. */
  readonly person: {
    readonly userName: string
    readonly fullName: string | null
    readonly email: string | null
  }
}

export interface LocalForge {
  readonly record: ForgeRecord
  /** The engine's side: acts as Alfred's account. */
  readonly forge: Forge
  /** The people's side: acts as the person of this computer. */
  readonly tracker: Tracker
  readonly personLogin: string
}

/** Opens the built-in forge of a data folder; the first time makes its record, Alfred's account and the person. */
export function openLocalForge(options: LocalForgeOptions): LocalForge {
  const { db, forges, clock, runGit, dataFolder } = options
  const stores = createLocalStores(db)
  const rootFolder = join(dataFolder, 'local-forge')
  removeUnfinished(rootFolder)
  const context = stores.transaction((): LocalContext => {
    const at = clock.now()
    const alfred = stores.people.ensureAlfred(at)
    const login = toLogin(options.person.userName)
    const you = stores.people.ensure(
      { login, name: options.person.fullName ?? login, email: options.person.email },
      at,
    )
    const forge =
      forges.findForgeByKind('local') ?? forges.addForge(newRecord(String(alfred.id), alfred.login), at)
    return { stores, forges, clock, runGit, rootFolder, forge, alfred, you }
  })
  return {
    record: context.forge,
    forge: createLocalForge(context),
    tracker: createLocalTracker(context),
    personLogin: context.you.login,
  }
}

function newRecord(accountId: string, accountLogin: string): Omit<ForgeRecord, 'id'> {
  return { kind: 'local', name: 'Local', baseUrl: 'local:', caFile: null, accountId, accountLogin }
}
