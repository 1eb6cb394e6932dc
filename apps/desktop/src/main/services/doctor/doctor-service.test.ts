import { expect, it } from 'vitest'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { agentFinding, createDoctorService, type DoctorParts } from './doctor-service'

type Asked = Omit<Partial<DoctorParts>, 'git' | 'disk'> & {
  readonly git: Pick<DoctorParts['git'], 'version'>
  readonly disk: Pick<DoctorParts['disk'], 'freeBytes'>
}

const service = (hasAgentForProjects: boolean) => {
  const runtime = createFakeContainerRuntime({})
  runtime.failWith('unreachable')
  // Without an engine nothing else of the parts is asked.
  const asked: Asked = {
    runtime,
    git: { version: () => Promise.resolve({ ok: true, value: '2.50.0' }) },
    disk: { freeBytes: () => Promise.resolve(20_000_000_000) },
    desktop: {
      showsNotifications: () => Promise.resolve(true),
      showsTray: () => Promise.resolve(true),
      linkHandler: () => Promise.resolve({ state: 'not_asked' }),
    },
    dataFolder: '/data',
    secretStorage: () => Promise.resolve({ state: 'keyring', detail: 'here' }),
    forges: () => [],
    connectedForges: () => Promise.resolve([]),
    hasAgentForProjects,
  }
  return createDoctorService(asked as DoctorParts)
}

it('says when this version has no agent for projects, as something that may be so', async () => {
  const lines = await service(false).examine(() => undefined)
  expect(lines.at(-1)).toEqual({
    check: 'project-agents',
    group: 'agents',
    title: 'Agents for your projects',
    state: 'optional',
    detail: 'none in this version',
    fix: null,
  })
  const others = await service(true).examine(() => undefined)
  expect(others.map(({ check }) => check)).not.toContain('project-agents')
})

it('says of an agent that is not there whether anybody needs it', () => {
  const absent = { version: null, resumable: false, reason: 'Not found.' } as const
  expect(agentFinding({ runner: 'container', ...absent })).toEqual({
    state: 'optional',
    detail: 'not in the agent image; needed only if a project uses it',
  })
  expect(agentFinding({ runner: 'host', ...absent }).detail).toMatch(/^not on this computer; /)
  const there = { runner: 'container', version: '2.1.332', resumable: true, reason: null } as const
  expect(agentFinding(there)).toEqual({ state: 'passed', detail: '2.1.332, sessions are resumed' })
})
