import type { AgentHistoryRow, AgentImageRow, DoctorLine, InstallationRow } from '@shared/contract/app'
import type { SettingRow } from '@shared/contract/settings'
import type { MailboxId, SessionId } from '@shared/model/ids'
import { settingDefinitions, type SettingKey } from '@shared/model/settings'
import { isForOneProject, needsConsent } from '@shared/model/setting-consent'

/** Settings with three scopes, installations and checks, from memory. */

type Scope = 'app' | 'organization' | 'project'
const stored = new Map<string, unknown>([
  ['organization:1:BRANCH_PREFIX', 'alfred/'],
  ['organization:1:RUN_TIMEOUT', 1_800_000],
  ['organization:1:AGENT_ADAPTER', 'codex'],
  ['project:1:AGENT_ADAPTER', 'claude-code'],
  ['project:1:REQUIRE_PLAN_VALIDATION', false],
  ['project:1:AGENT_MODEL', 'opus-4.5'],
  [
    'app:0:AGENT_CREDENTIAL_MOUNTS',
    ['claude-code=/home/nadia/.claude/.credentials.json:/home/agent/.claude/.credentials.json'],
  ],
])

export const fakeScopes = () => [
  { scope: 'app' as const, scopeId: 0, name: 'App', overrides: countOf('app', 0) },
  { scope: 'organization' as const, scopeId: 1, name: 'harbour', overrides: countOf('organization', 1) },
  { scope: 'project' as const, scopeId: 1, name: 'harbour/freight-api', overrides: countOf('project', 1) },
  { scope: 'project' as const, scopeId: 2, name: 'harbour/driver-app', overrides: 0 },
]

const countOf = (scope: Scope, id: number): number =>
  [...stored.keys()].filter((key) => key.startsWith(`${scope}:${id}:`)).length

export function fakeSettings(scope: Scope, scopeId: number): SettingRow[] {
  return (Object.keys(settingDefinitions) as SettingKey[]).map((key) => {
    const { label, about, type, appOnly, fallback } = settingDefinitions[key]
    const said = (name: string) => (stored.has(name) ? { value: stored.get(name) } : null)
    const strip = {
      app: said(`app:0:${key}`),
      organization: scope === 'app' ? null : said(`organization:1:${key}`),
      project: scope === 'project' ? said(`project:${scopeId}:${key}`) : null,
    }
    const origin =
      strip.project !== null
        ? 'project'
        : strip.organization !== null
          ? 'organization'
          : strip.app !== null
            ? 'app'
            : 'default'
    return {
      key,
      label,
      about,
      type,
      scopes: appOnly ? ['app'] : ['app', 'organization', 'project'],
      defaultValue: fallback,
      value: (strip.project ?? strip.organization ?? strip.app ?? { value: fallback }).value,
      origin,
      strip,
      problem: null,
      unagreed: null,
    }
  })
}

export function setFakeSetting(
  scope: Scope,
  scopeId: number,
  key: SettingKey,
  value: unknown,
  hasConsent: boolean,
): { readonly type: string; readonly message: string } | null {
  const parsed = settingDefinitions[key].schema.safeParse(value)
  if (!parsed.success)
    return { type: 'invalid_value', message: parsed.error.issues[0]?.message ?? 'not valid' }
  if (scope !== 'project' && isForOneProject(key, parsed.data))
    return { type: 'wrong_scope', message: 'for a project only' }
  if (needsConsent(key, parsed.data) && !hasConsent)
    return { type: 'consent_needed', message: 'That needs your consent.' }
  stored.set(`${scope}:${scopeId}:${key}`, parsed.data)
  return null
}

export const resetFakeSetting = (scope: Scope, scopeId: number, key: SettingKey): void =>
  void stored.delete(`${scope}:${scopeId}:${key}`)

export function fakeAgents(now: number): InstallationRow[] {
  const one = (part: Partial<InstallationRow>): InstallationRow => ({
    adapter: 'claude-code',
    runner: 'container',
    imageTag: 'alfred-node:24',
    imageDigest: 'sha256:9e41c07d77aa0011223344556677889900aabbccddeeff00112233445566052aa',
    version: '2.1.332',
    resumable: true,
    reason: null,
    projectReasons: [],
    verifiedRange: '2.1.128 – 2.1.332',
    pinLine: 'RUN npm install --global @anthropic-ai/claude-code@2.1.332',
    statePath: '/home/agent/.claude/projects',
    loginState: 'found',
    loginEndsAt: null,
    loginSource: { kind: 'environment', name: 'CLAUDE_CODE_OAUTH_TOKEN' },
    loginMounts: 1,
    loginProof: {
      outcome: 'answered',
      message: null,
      tookMs: 2_100,
      costUsd: 0.0004,
      askedAt: now - 130_000,
    },
    projectLogins: [],
    detectedAt: now - 130_000,
    ...part,
  })
  return [
    one({}),
    one({
      adapter: 'codex',
      version: '0.171.0',
      verifiedRange: '0.130.0 – 0.171.0',
      statePath: '/home/agent/.codex/sessions',
    }),
    one({
      adapter: 'opencode',
      version: '1.18.33',
      resumable: false,
      reason: 'state path overlaps a credential mount',
      verifiedRange: '1.3.0 – 1.18.33',
    }),
    one({
      adapter: 'demo',
      version: '1.0.0',
      verifiedRange: '1.0.0 – 1.0.0',
      loginState: 'not_needed',
      statePath: '/home/agent/.demo/sessions',
    }),
    one({
      imageTag: 'harbour/ci-java:21',
      imageDigest: 'sha256:41bb90ef0000000000000000000000000000000000000000000000000000c13',
      version: '2.2.0',
      resumable: false,
      reason: 'newer than any verified version',
    }),
    one({
      imageTag: 'harbour/ci-java:21',
      imageDigest: 'sha256:41bb90ef0000000000000000000000000000000000000000000000000000c13',
      adapter: 'grok-build',
      version: '1.0.41',
      verifiedRange: '1.0.5 – 1.0.41',
      loginState: 'missing',
    }),
    one({
      runner: 'host',
      imageTag: null,
      imageDigest: null,
      version: '2.1.330',
      resumable: false,
      reason: 'sessions need a container',
      detectedAt: now - 3_700_000,
    }),
  ]
}

export const fakeAgentImages = (): AgentImageRow[] => [
  {
    digest: 'sha256:9e41c07d77aa0011223344556677889900aabbccddeeff00112233445566052aa',
    tag: 'alfred-node:24',
    base: 'node:24-bookworm-slim',
    sizeBytes: 1_900_000_000,
    projects: 4,
  },
  {
    digest: 'sha256:41bb90ef0000000000000000000000000000000000000000000000000000c13',
    tag: 'harbour/ci-java:21',
    base: 'harbour/java:21',
    sizeBytes: 2_600_000_000,
    projects: 1,
  },
]

export const fakeAgentHistory = (adapter: unknown): AgentHistoryRow =>
  adapter === 'claude-code'
    ? {
        lastRuns: [
          { badge: 'resumed', runs: 38 },
          { badge: 'no_prior_session', runs: 9 },
          { badge: 'state_missing', runs: 2 },
          { badge: 'refused', runs: 1 },
        ],
        sessions: { bytes: 184_000_000, issues: 23, isComplete: true },
        setAside: [
          {
            mailboxId: 1 as MailboxId,
            iid: 128,
            nativeSessionId: '7c1e44d0-1111-4222-8333-444455559b2f',
            reason: 'state_missing',
            sessionId: 7 as SessionId,
          },
        ],
      }
    : { lastRuns: [], sessions: { bytes: 0, issues: 0, isComplete: true }, setAside: [] }

const line = (
  group: DoctorLine['group'],
  check: string,
  state: DoctorLine['state'],
  title: string,
  detail: string,
  fix: DoctorLine['fix'] = null,
): DoctorLine => ({
  group,
  check,
  state,
  title,
  detail,
  fix,
})

export function fakeDoctor(scenario: string): DoctorLine[] {
  const noDocker = scenario === 'docker' || scenario === 'first-start-docker'
  return [
    noDocker
      ? line(
          'computer',
          'docker',
          'failed',
          'Docker endpoint',
          'unix:///var/run/docker.sock does not answer',
          {
            text: 'Start Docker, then check again.',
            command: 'sudo systemctl start docker',
            action: 'check_again',
          },
        )
      : line(
          'computer',
          'docker',
          'passed',
          'Docker endpoint',
          'unix:///run/user/1000/docker.sock · rootless 28.5 · from your docker context',
        ),
    line(
      'computer',
      'disk',
      'passed',
      'Disk and uid',
      '61 GB free · runs use uid 1000 · bind mounts are writable',
    ),
    line('computer', 'git', 'passed', 'git', '2.47.1'),
    line(
      'computer',
      'secrets',
      'optional',
      'Secret storage',
      'No system keyring was found. Only needed for a forge with a token.',
    ),
    line('forges', 'local', 'passed', 'Local forge', 'built in · 1 project'),
    noDocker
      ? line('agents', 'image', 'skipped', 'Agent image', 'Needs Docker.')
      : line('agents', 'image', 'failed', 'Agent image', 'not built yet', {
          text: 'Build it once; it takes about a minute.',
          command: null,
          action: 'build_image',
        }),
    line('agents', 'demo', noDocker ? 'skipped' : 'passed', 'demo', '1.0.0 · can resume'),
  ]
}
