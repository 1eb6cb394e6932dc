import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionRecord, TimelineRow } from '@shared/contract/sessions'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import type { ResumeFailure, SessionOffReason } from '@shared/model/words'
import { goldenRow } from '../../fakes/golden-request'
import type { MatrixBench, MatrixIssue } from './matrix-bench'
import { replayedCli, type ReplayedName } from './replayed-clis'

/*
 * The rows of the matrix of named sessions, each as what comes to be so before a run and what is told of that run: the
 * tests of the engine hold every CLI to it, and the home that is shown in the window is made of the same.
 */

/** Whose run it is: an issue that has a session of this CLI. */
export interface Scene {
  readonly bench: MatrixBench
  readonly issue: MatrixIssue
  readonly name: ReplayedName
}

/** What is told of the run, on the timeline and in the row of its session. */
export interface Told {
  readonly run: Partial<TimelineRow>
  readonly session: Partial<SessionRecord>
}

export interface MatrixCase {
  begin(scene: Scene): unknown
  end(scene: Scene): unknown
  /** `id`: the one that the next run would have asked for. */
  told(name: ReplayedName, id: string | null): Told
}

const setting = (scope: SettingScope, key: SettingKey, at: (name: ReplayedName) => unknown) => ({
  begin: ({ bench, issue, name }: Scene) => bench.setting(issue, scope, key, at(name)),
  end: ({ bench, issue }: Scene) => bench.reset(issue, scope, key),
})

const resumes = (id: string | null, more: Told['session']): Told => ({
  run: { outcome: 'succeeded', badge: 'resumed', nativeSessionId: id, resumeFallback: null, ...more },
  session: { mode: 'resume', resumed: true, resumeFallback: null, requestedSessionId: id, ...more },
})

export const otherModel: MatrixCase = {
  ...setting('project', 'AGENT_MODEL', () => 'another-model'),
  told: (_, id) => resumes(id, { model: 'another-model' }),
}

export const otherProvider: MatrixCase = {
  ...setting('project', 'AGENT_PROVIDER', (name) => replayedCli(name).otherProvider),
  told: (name, id) => resumes(id, { provider: replayedCli(name).otherProvider }),
}

const plays = (play: (name: ReplayedName) => Parameters<MatrixBench['play']>[1]) => ({
  begin: ({ bench, issue, name }: Scene) => bench.play(issue, play(name)),
  end: ({ bench, issue }: Scene) => bench.play(issue, {}),
})

/** One fresh session in the same run. */
export const fallbackFor = (reason: ResumeFailure): MatrixCase => ({
  ...plays((name) => ({ resumed: replayedCli(name).fallbacks[reason] })),
  told: (_, id) => ({
    run: { outcome: 'succeeded', attempts: 1, badge: reason, resumed: false },
    session: { mode: 'resume', resumeFallback: reason, requestedSessionId: id },
  }),
})

export const noTimeLeft: MatrixCase = {
  ...plays((name) => ({ resumed: replayedCli(name).fallbacks.state_missing, endsLate: true })),
  told: (_, id) => ({
    run: { outcome: 'timed_out', attempts: 1, badge: 'state_missing', nativeSessionId: null },
    session: { mode: 'resume', resumeFallback: 'state_missing', requestedSessionId: id },
  }),
}

/** A failure whose reason nobody knows. */
export const ambiguous: MatrixCase = {
  ...plays((name) => ({ resumed: replayedCli(name).ambiguous })),
  told: (_, id) => ({
    run: { outcome: 'failed', badge: 'unproven', mode: 'resume', resumed: false, resumeFallback: null },
    session: { mode: 'resume', resumed: false, resumeFallback: null, requestedSessionId: id },
  }),
}

/** Sessions do not apply: the row is as it is without them. */
const off = (reason: SessionOffReason, how: Pick<MatrixCase, 'begin' | 'end'>): MatrixCase => ({
  ...how,
  told: () => ({
    run: { outcome: 'succeeded', badge: 'none', sessionOffReason: reason },
    session: goldenRow(),
  }),
})

const credentialAt = (at: (state: string, scratch: string) => string): MatrixCase =>
  off(
    'credential_overlap',
    setting('project', 'AGENT_CREDENTIAL_MOUNTS', (name) => {
      const { sessionStatePath, scratchPaths } = replayedCli(name).create()
      return [`${name}=/secret:${at(sessionStatePath ?? '', scratchPaths[0] ?? '')}`]
    }),
  )
const capability = (now: 'none' | 'not_verified') => ({
  begin: ({ bench, name }: Scene) => bench.can(name, now),
  end: ({ bench, name }: Scene) => bench.can(name, 'verified'),
})
const switchedOff = (scope: SettingScope): MatrixCase =>
  off(
    `switched_off_${scope}`,
    setting(scope, 'AGENT_SESSION_RESUME', () => false),
  )

/** Where sessions do not apply, by what makes it so. */
export const offCases = {
  'switched off for the organization': switchedOff('organization'),
  'switched off for the project': switchedOff('project'),
  'a CLI that cannot resume': off('adapter_cannot_resume', capability('none')),
  'a version that nobody has tried': off('version_not_verified', capability('not_verified')),
  'the host runner': off(
    'host_runner',
    setting('project', 'AGENT_RUNNER', () => 'host'),
  ),
  'a credential at the state': credentialAt((state) => state),
  'a credential inside the state': credentialAt((state) => `${state}/x/../login.json`),
  'a credential that a link of this computer leads to the sessions': off('credential_overlap', {
    begin: async ({ bench, issue, name }: Scene) => {
      const link = join(bench.folder, `link-of-${name}`)
      await symlink(bench.stateFolder(issue, name), link)
      const mount = `${name}=${link}:/home/agent/login.json`
      await bench.setting(issue, 'project', 'AGENT_CREDENTIAL_MOUNTS', [mount])
    },
    end: ({ bench, issue }) => bench.reset(issue, 'project', 'AGENT_CREDENTIAL_MOUNTS'),
  }),
  'a credential around the state': credentialAt((_, scratch) => `${scratch}/../${scratch.split('/').at(-1)}`),
} satisfies Readonly<Record<string, MatrixCase>>

/** A mailbox or an agent that has no session, whatever is set. */
export const without = (reason: SessionOffReason): MatrixCase =>
  off(reason, { begin: () => undefined, end: () => undefined })
