import type { InstallationRow } from '@shared/contract/app'
import type { SettingValues } from '@shared/model/settings'
import type { AdapterId, Runner } from '@shared/model/words'
import { rangeWords } from '../../core/agents/version-range'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { Installation, Store } from '../../ports/stores'
import type { AgentCredentials, LoginLook } from './agent-credentials'
import { agentPlaces, groupBy, projectNames, type AgentPlaces, type ProjectsAlike } from './projects-alike'

/*
 * An installation as the agents screen shows it: what keeps it from resuming, and whether it is signed in, by the
 * settings of the app and of each project that has others.
 */

export interface InstallationRowParts {
  readonly store: Store
  readonly adapters: AgentAdapters
  readonly credentials: Pick<AgentCredentials, 'login' | 'overlap'>
  readonly allowsDemonstration: boolean
}

/** What is the same for every row of one list. */
interface Scene extends InstallationRowParts {
  readonly places: AgentPlaces
  /** Answered once for the same question. */
  readonly login: (adapter: AgentAdapter, runner: Runner, of: ProjectsAlike) => Promise<LoginLook>
  readonly whyFresh: (adapter: AgentAdapter, settings: SettingValues) => Promise<string | null>
}

type ResumeFields = Pick<InstallationRow, 'resumable' | 'reason' | 'projectReasons'>
type LoginFields = Pick<InstallationRow, 'loginState' | 'projectLogins'>

export function installationRows(parts: InstallationRowParts): Promise<InstallationRow[]> {
  const { credentials } = parts
  const scene: Scene = {
    ...parts,
    places: agentPlaces(parts),
    login: askedOnce(
      (adapter: AgentAdapter, runner: Runner, { settings, inUse }: ProjectsAlike) =>
        worstLogin(parts, adapter, runner, settings, providersOf(adapter.id, settings, inUse)),
      ({ id }, runner, { settings, inUse }) => [
        id,
        runner,
        settings.AGENT_CREDENTIAL_MOUNTS,
        settings.AGENT_CREDENTIAL_ENV,
        providersOf(id, settings, inUse),
      ],
    ),
    whyFresh: askedOnce(
      (adapter: AgentAdapter, settings: SettingValues) => whyFresh(credentials, adapter, settings),
      ({ id }, settings) => [id, settings.AGENT_SESSION_RESUME, settings.AGENT_CREDENTIAL_MOUNTS],
    ),
  }
  return Promise.all(parts.store.installations.list().map((row) => toRow(scene, row)))
}

async function toRow(scene: Scene, row: Installation): Promise<InstallationRow> {
  const { store, adapters } = scene
  const adapter = adapters.find(row.adapter)
  const image = store.images.list().find(({ digest }) => digest === row.imageDigest)
  const { adapter: id, runner, imageDigest, version, detectedAt } = row
  return {
    adapter: id,
    runner,
    imageTag: image?.tag ?? null,
    imageDigest: imageDigest === '' ? null : imageDigest,
    version,
    ...(await resumability(scene, row, adapter)),
    verifiedRange:
      adapter === null || adapter.resumeVersions.length === 0 ? null : rangeWords(adapter.resumeVersions),
    statePath: adapter?.sessionStatePath ?? null,
    ...(await login(scene, row, adapter)),
    detectedAt,
  }
}

/** What turns the resume off is said before a run comes to it, also where only some projects' settings do. */
async function resumability(
  scene: Scene,
  row: Installation,
  adapter: AgentAdapter | null,
): Promise<ResumeFields> {
  const { resumable, reason } = row
  if (!resumable || adapter === null) return { resumable, reason, projectReasons: [] }
  const ofApp = await scene.whyFresh(adapter, scene.places.app.settings)
  const looks = await Promise.all(
    projectsAt(scene, row.runner).map(async ({ names, settings }) => ({
      names,
      why: await scene.whyFresh(adapter, settings),
    })),
  )
  const differing = looks.filter(({ why }) => why !== ofApp)
  const projectReasons = reasonWords(differing)
  // Where no project goes by what holds for the app, that says nothing about any run.
  return looks.length > 0 && differing.length === looks.length
    ? { resumable: looks.some(({ why }) => why === null), reason: null, projectReasons }
    : { resumable: ofApp === null, reason: ofApp && capitalised(`${ofApp}, ${startFresh}`), projectReasons }
}

const startFresh = 'so runs start fresh.'
const mostReasons = 4
const otherReasons = 'settings of their own turn the resume off'

/** A line for each reason; beyond a few, the rest in one. */
function reasonWords(
  looks: readonly { readonly names: readonly string[]; readonly why: string | null }[],
): string[] {
  const whys = [...new Set(looks.map(({ why }) => why))]
  const told = new Set(whys.slice(0, mostReasons))
  const lines = groupBy(looks, ({ why }) => (why === null || told.has(why) ? why : otherReasons))
  return [...lines].map(([why, alike]) => {
    const place = `In ${projectNames(alike.flatMap(({ names }) => names))}`
    return why === null ? `${place}: sessions are resumed.` : `${place}: ${why}, ${startFresh}`
  })
}

/** What keeps a CLI that can resume from it under these settings, as the first part of a sentence; null: nothing. */
async function whyFresh(
  credentials: InstallationRowParts['credentials'],
  adapter: AgentAdapter,
  settings: SettingValues,
): Promise<string | null> {
  const mount = await credentials.overlap(adapter, settings)
  const reasons = [
    settings.AGENT_SESSION_RESUME ? null : 'AGENT_SESSION_RESUME is off',
    mount === null
      ? null
      : mount.half === 'target'
        ? `the credential mount at ${mount.target} overlaps the session state`
        : `the credential mount of ${mount.source} overlaps the session state on this computer`,
  ].filter((reason) => reason !== null)
  return reasons.length === 0 ? null : reasons.join(', and ')
}

/** Where every project that uses the CLI has a good login of its own, nobody misses that of the app. */
async function login(scene: Scene, row: Installation, adapter: AgentAdapter | null): Promise<LoginFields> {
  // Of a CLI that is not there nobody needs to know.
  if (adapter === null || row.version === null) return { loginState: row.loginState, projectLogins: [] }
  const ofApp = await scene.login(adapter, row.runner, scene.places.app)
  const users = projectsAt(scene, row.runner).filter(({ inUse }) => inUse.has(adapter.id))
  const looks = await Promise.all(
    users.map(async (place) => ({ place, state: await scene.login(adapter, row.runner, place) })),
  )
  const differing = groupBy(
    looks.filter(({ place, state }) => place.names.length > 0 && state !== ofApp),
    ({ state }) => state,
  )
  const isMissedByNone = looks.length > 0 && looks.every(({ state }) => !isBad(state))
  return {
    loginState: isMissedByNone && isBad(ofApp) ? worstOf(looks.map(({ state }) => state)) : ofApp,
    projectLogins: [...differing].map(([loginState, alike]) => ({
      projects: projectNames(alike.flatMap(({ place }) => place.names)),
      loginState,
    })),
  }
}

/** The worst of what its phases would meet. */
async function worstLogin(
  { credentials }: InstallationRowParts,
  adapter: AgentAdapter,
  runner: Runner,
  settings: SettingValues,
  providers: readonly (string | null)[],
): Promise<LoginLook> {
  const looks = providers.map((provider) => credentials.login(adapter, { settings, provider, runner }))
  return worstOf(await Promise.all(looks))
}

/** Those that its phases name; where no phase uses the CLI, that of the settings. */
const providersOf = (
  id: AdapterId,
  settings: SettingValues,
  inUse: ProjectsAlike['inUse'],
): readonly (string | null)[] => [...(inUse.get(id) ?? [settings.AGENT_PROVIDER])]

const fromWorst: readonly LoginLook[] = ['missing', 'expired', 'unknown', 'found', 'not_needed']
const worstOf = (looks: readonly LoginLook[]): LoginLook =>
  fromWorst.find((look) => looks.includes(look)) ?? 'unknown'
const isBad = (look: LoginLook): boolean => look === 'missing' || look === 'expired'

const projectsAt = ({ places }: Scene, runner: Runner): readonly ProjectsAlike[] =>
  places.projects.filter(({ settings }) => settings.AGENT_RUNNER === runner)

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Keeps the answers of one list: many rows and projects ask the same, and an answer takes files. */
function askedOnce<A extends readonly unknown[], T>(
  ask: (...about: A) => Promise<T>,
  keyOf: (...about: A) => readonly unknown[],
): (...about: A) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return (...about) => {
    const key = JSON.stringify(keyOf(...about))
    const known = answers.get(key) ?? ask(...about)
    answers.set(key, known)
    return known
  }
}
