import type { InstallationRow } from '@shared/contract/app'
import type { SettingValues } from '@shared/model/settings'
import type { AdapterId, Runner } from '@shared/model/words'
import { pinLine } from '../../core/agents/image-clis'
import { installationCapability } from '../../core/agents/installation-capability'
import { rangeWords } from '../../core/agents/version-range'
import { endsSoon } from '@shared/login-end'
import type { AgentAdapter, AgentAdapters } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { Installation, Store } from '../../ports/stores'
import type { AgentCredentials, LoginFacts, LoginLook } from './agent-credentials'
import { agentPlaces, groupBy, projectNames, type AgentPlaces, type ProjectsAlike } from './projects-alike'

/*
 * An installation as the agents screen shows it: what keeps it from resuming, and whether it is signed in, by the
 * settings of the app and of each project that has others.
 */

export interface InstallationRowParts {
  readonly store: Store
  readonly adapters: AgentAdapters
  readonly credentials: Pick<AgentCredentials, 'loginFacts' | 'overlap'>
  readonly clock: Pick<Clock, 'now'>
  readonly allowsDemonstration: boolean
}

/** What is the same for every row of one list. */
interface Scene extends InstallationRowParts {
  readonly places: AgentPlaces
  /** Answered once for the same question. */
  readonly login: (adapter: AgentAdapter, runner: Runner, of: ProjectsAlike) => Promise<LoginFacts>
  readonly whyFresh: (adapter: AgentAdapter, settings: SettingValues) => Promise<string | null>
}

type ResumeFields = Pick<InstallationRow, 'resumable' | 'reason' | 'projectReasons'>
type LoginFields = Pick<
  InstallationRow,
  'loginState' | 'loginEndsAt' | 'loginSource' | 'loginMounts' | 'projectLogins'
>

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
  return Promise.all(shownInstallations(parts.store).map((row) => toRow(scene, row)))
}

/**
 * Those of images that are there. Of one that is gone the row stays behind for the runs that were in it, and for what
 * an image that is made anew will hold; nobody can work with it.
 */
function shownInstallations({ images, installations }: Store): readonly Installation[] {
  const there = new Set(images.list().map(({ digest }) => digest))
  return installations.list().filter(({ runner, imageDigest }) => runner === 'host' || there.has(imageDigest))
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
    pinLine: pinLine(id),
    statePath: adapter?.sessionStatePath ?? null,
    ...(await login(scene, row, adapter)),
    loginProof: store.installations.findProof(id, imageDigest),
    detectedAt,
  }
}

/** What turns the resume off is said before a run comes to it, also where only some projects' settings do. */
async function resumability(
  scene: Scene,
  row: Installation,
  adapter: AgentAdapter | null,
): Promise<ResumeFields> {
  // Judged anew: the version of Alfred that found it may have verified others.
  const { resumable, reason } = adapter === null ? row : installationCapability({ ...adapter, ...row })
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
  if (adapter === null || row.version === null) return toFields(notKnown(row.loginState), [])
  const ofApp = await scene.login(adapter, row.runner, scene.places.app)
  const users = projectsAt(scene, row.runner).filter(({ inUse }) => inUse.has(adapter.id))
  const looks = await Promise.all(
    users.map(async (place) => ({ place, facts: await scene.login(adapter, row.runner, place) })),
  )
  // An end that is far away makes no other login.
  const soonEnd = ({ endsAt }: LoginFacts): number | null =>
    endsSoon(endsAt, scene.clock.now()) ? endsAt : null
  const differing = groupBy(
    looks.filter(
      ({ place, facts }) =>
        place.names.length > 0 && (facts.state !== ofApp.state || soonEnd(facts) !== soonEnd(ofApp)),
    ),
    ({ facts }) => `${facts.state} ${soonEnd(facts) ?? ''}`,
  )
  const isMissedByNone = looks.length > 0 && looks.every(({ facts }) => !isBad(facts.state))
  const shown = isMissedByNone && isBad(ofApp.state) ? worstOf(looks.map(({ facts }) => facts)) : ofApp
  return toFields(
    shown,
    [...differing.values()].map((alike) => ({
      projects: projectNames(alike.flatMap(({ place }) => place.names)),
      loginState: alike[0].facts.state,
      loginEndsAt: alike[0].facts.endsAt,
    })),
  )
}

const toFields = (
  { state, endsAt, source, mounts }: LoginFacts,
  projectLogins: LoginFields['projectLogins'],
): LoginFields => ({
  loginState: state,
  loginEndsAt: endsAt,
  loginSource: source,
  loginMounts: mounts,
  projectLogins,
})

const notKnown = (state: LoginLook): LoginFacts => ({ state, endsAt: null, source: null, mounts: 0 })

/** The worst of what its phases would meet. */
async function worstLogin(
  { credentials }: InstallationRowParts,
  adapter: AgentAdapter,
  runner: Runner,
  settings: SettingValues,
  providers: readonly (string | null)[],
): Promise<LoginFacts> {
  const looks = providers.map((provider) => credentials.loginFacts(adapter, { settings, provider, runner }))
  return worstOf(await Promise.all(looks))
}

/** Those that its phases name; where no phase uses the CLI, that of the settings. */
const providersOf = (
  id: AdapterId,
  settings: SettingValues,
  inUse: ProjectsAlike['inUse'],
): readonly (string | null)[] => [...(inUse.get(id) ?? [settings.AGENT_PROVIDER])]

const fromWorst: readonly LoginLook[] = ['missing', 'expired', 'unknown', 'found', 'not_needed']
const worstOf = (facts: readonly LoginFacts[]): LoginFacts =>
  facts.toSorted((a, b) => fromWorst.indexOf(a.state) - fromWorst.indexOf(b.state))[0] ?? notKnown('unknown')
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
