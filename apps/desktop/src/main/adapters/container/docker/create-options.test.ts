import { describe, expect, it } from 'vitest'
import type { ContainerSpec } from '@main/ports/container-runtime'
import { createOptions } from './create-options'

const spec: ContainerSpec = {
  name: 'alfred-1',
  image: 'sha256:1',
  argv: ['/bin/sh', '/alfred/entry', 'agent'],
  environment: { A: '1', B: 'two words' },
  workingDirectory: '/workspace',
  user: { uid: 1000, gid: 1001 },
  mounts: [
    { kind: 'tmpfs', target: '/home/agent', sizeBytes: 5, exec: true, purpose: '' },
    { kind: 'tmpfs', target: '/tmp', sizeBytes: 6, exec: false, purpose: '' },
    { kind: 'bind', source: '/d/ws', target: '/workspace', readOnly: false, purpose: '' },
  ],
  limits: { memoryBytes: 1000, cpus: 1.5, pids: 9 },
  network: 'bridge',
  labels: { a: 'b' },
}

describe('what the engine is asked for', () => {
  it('is the whole sandbox', () => {
    expect(createOptions(spec, { userRemapped: false, agentNetwork: 'agents' })).toEqual({
      name: 'alfred-1',
      Image: 'sha256:1',
      Entrypoint: ['/bin/sh'],
      Cmd: ['/alfred/entry', 'agent'],
      Env: ['A=1', 'B=two words'],
      WorkingDir: '/workspace',
      User: '1000:1001',
      Labels: { a: 'b' },
      Tty: false,
      OpenStdin: false,
      StopSignal: 'SIGTERM',
      Healthcheck: { Test: ['NONE'] },
      HostConfig: {
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        Privileged: false,
        Init: true,
        PidsLimit: 9,
        Memory: 1000,
        MemorySwap: 1000,
        NanoCpus: 1_500_000_000,
        IpcMode: 'private',
        LogConfig: { Type: 'none', Config: {} },
        AutoRemove: false,
        RestartPolicy: { Name: 'no' },
        NetworkMode: 'agents',
        Tmpfs: {
          '/home/agent': 'rw,nosuid,nodev,exec,size=5,uid=1000,gid=1001,mode=0700',
          '/tmp': 'rw,nosuid,nodev,noexec,size=6,uid=1000,gid=1001,mode=1777',
        },
        Mounts: [
          {
            Type: 'bind',
            Source: '/d/ws',
            Target: '/workspace',
            ReadOnly: false,
            BindOptions: { Propagation: 'rprivate' },
          },
        ],
      },
    })
  })

  it('has a terminal that can be typed into where it is asked for one', () => {
    const withTerminal = { ...spec, hasTerminal: true } as const
    const options = createOptions(withTerminal, { userRemapped: false, agentNetwork: 'agents' })
    expect(options).toMatchObject({ Tty: true, OpenStdin: true })
  })

  it('opts out of a remapping of users, and of every network', () => {
    const options = createOptions(
      { ...spec, network: 'none' },
      { userRemapped: true, agentNetwork: 'agents' },
    )
    expect(options.HostConfig).toMatchObject({ UsernsMode: 'host', NetworkMode: 'none' })
  })
})
