import { describe, expect, it } from 'vitest'
import { err, ok } from '@shared/result'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import type { Installation, InstallationStore } from '@main/ports/stores'
import { createFakeContainerRuntime } from '../../../test/fakes/fake-container-runtime'
import { createAgentDetection } from './agent-detection'

const adapter = createDemoAdapter()

function bench(stdout: string, exitCode = 0) {
  const rows: Installation[] = []
  const installations: InstallationStore = {
    put: (row) => void rows.push(row),
    find: (id, runner, digest) =>
      rows.findLast((row) => row.adapter === id && row.runner === runner && row.imageDigest === digest) ??
      null,
    list: () => rows,
    putProof: () => undefined,
    findProof: () => null,
  }
  const runtime = createFakeContainerRuntime({ images: ['image:1'] })
  let asked = 0
  runtime.answerOnce(() => {
    asked += 1
    return ok({ exitCode, stdout, stderr: '' })
  })
  const detection = createAgentDetection({
    installations,
    clock: { now: () => 7, monotonic: () => 0, sleep: async () => {} },
    loginOf: async () => 'not_needed',
  })
  const place = { runner: 'container', runtime, reference: 'image:1', digest: 'sha256:image:1' } as const
  return { detection, place, rows, runtime, asked: () => asked }
}

describe('detecting an agent CLI', () => {
  it('stores its version and that it may resume inside the verified range', async () => {
    const { detection, place, rows } = bench('alfred-demo-agent 1.0.0\n')
    await detection.detect(adapter, place)
    expect(rows).toEqual([
      {
        adapter: 'demo',
        runner: 'container',
        imageDigest: 'sha256:image:1',
        version: '1.0.0',
        resumable: true,
        reason: null,
        loginState: 'not_needed',
        detectedAt: 7,
      },
    ])
  })

  it('lowers what it may do outside the range, with the reason', async () => {
    const { detection, place, rows } = bench('alfred-demo-agent 2.0.0\n')
    await detection.detect(adapter, place)
    expect(rows[0]).toMatchObject({
      version: '2.0.0',
      resumable: false,
      reason: 'Version 2.0.0 is outside the verified range (1.0.0), so every run starts fresh.',
    })
  })

  it('finds a pre-release, and resumes it only where the range says that very one', async () => {
    const { detection, place, rows } = bench('alfred-demo-agent 1.0.0-beta.4\n')
    await detection.detect(adapter, place)
    expect(rows[0]).toMatchObject({
      version: '1.0.0-beta.4',
      resumable: false,
      reason:
        'The pre-release 1.0.0-beta.4 is outside the verified range (1.0.0), so every run starts fresh.',
    })
    const beta = { from: '1.0.0-beta.4', to: '1.0.0' }
    await detection.detect({ ...adapter, resumeVersions: [beta] }, place)
    expect(rows[1]).toMatchObject({ version: '1.0.0-beta.4', resumable: true, reason: null })
  })

  it.each([
    ['is not there', '', 127],
    ['says no version', 'hello', 0],
  ])('knows no version of one that %s', async (_what, stdout, exitCode) => {
    const { detection, place, rows } = bench(stdout, exitCode)
    await detection.detect(adapter, place)
    expect(rows[0]).toMatchObject({ version: null, resumable: false, reason: 'Not found.' })
  })

  it('takes a command that the engine cannot find for one that is not there', async () => {
    const { detection, place, rows, runtime } = bench('')
    runtime.answerOnce(() => err({ type: 'command_missing', message: '', retryable: false }))
    await detection.detect(adapter, place)
    expect(rows[0]?.version).toBeNull()
  })

  it('stores nothing about an engine that does not answer', async () => {
    const { detection, place, rows, runtime } = bench('')
    runtime.failWith('unreachable')
    expect(await detection.detect(adapter, place)).toMatchObject({
      ok: false,
      error: { type: 'unreachable' },
    })
    expect(rows).toEqual([])
  })

  it('asks an image once and the host each time', async () => {
    const { detection, place, asked } = bench('alfred-demo-agent 1.0.0\n')
    await detection.known(adapter, place)
    await detection.known(adapter, place)
    expect(asked()).toBe(1)
    const host = { ...place, runner: 'host', digest: '' } as const
    await detection.known(adapter, host)
    await detection.known(adapter, host)
    expect(asked()).toBe(3)
  })

  it('judges a stored version anew by what this version of Alfred has verified', async () => {
    const { detection, place, rows } = bench('alfred-demo-agent 1.0.0\n')
    await detection.known(adapter, place)
    const other = { ...adapter, resumeVersions: [{ from: '3.0.0', to: '3.0.0' }] }
    expect(await detection.known(other, place)).toMatchObject({
      ok: true,
      value: { version: '1.0.0', resumable: false },
    })
    expect(rows).toHaveLength(2)
  })
})
