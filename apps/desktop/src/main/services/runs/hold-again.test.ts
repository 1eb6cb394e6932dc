import { describe, expect, it } from 'vitest'
import type { RunId } from '@shared/model/ids'
import { err, ok, type Result } from '@shared/result'
import { createFakeContainerRuntime } from '../../../../test/fakes/fake-container-runtime'
import type { ContainerError } from '../../ports/container-runtime'
import { holdAgain } from './hold-again'

const runId = 7 as RunId
const container = { runtime: createFakeContainerRuntime({ images: [] }), id: 'c' }
const away: ContainerError = { type: 'unreachable', message: 'No answer.', retryable: true }
const broken: ContainerError = { type: 'unexpected', message: 'It is broken.', retryable: false }

async function hold(...answers: readonly Result<void, ContainerError>[]) {
  const warned: string[] = []
  let asked = 0
  const patience = {
    clock: { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() },
    detach: new AbortController().signal,
    onUnreachable: () => undefined,
  }
  const terminals = { hold: () => Promise.resolve(answers[asked++] ?? ok(undefined)) }
  await holdAgain({ terminals, patience, warn: (text) => warned.push(text) }, runId, container)
  return { warned, asked }
}

describe('a terminal that went on while Alfred was gone', () => {
  it('is held as soon as the engine of containers answers', async () => {
    expect(await hold(err(away), err(away), ok(undefined))).toEqual({ warned: [], asked: 3 })
  })

  it('is told where it cannot be held', async () => {
    const { warned } = await hold(err(broken))
    expect(warned).toEqual([
      'The terminal cannot be shown any more: It is broken. Its agent goes on unseen; to end it and keep its work: alfred stop 7',
    ])
  })
})
