import { expect, it } from 'vitest'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import { createDoctorService, type DoctorParts } from './doctor-service'

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
