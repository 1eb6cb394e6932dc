import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'

/*
 * What every container runtime must do. Commands are shell scripts of five kinds, so that the fake can play them.
 */

export const contractPrograms = {
  exits: (code: number): readonly string[] => ['/bin/sh', '-c', `exit ${code}`],
  /** These two greet when they are ready for TERM. */
  endsOnTerm: ['/bin/sh', '-c', 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done'],
  ignoresTerm: ['/bin/sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.05; done'],
  /** Greets, answers the size when asked with a line, and ends at "bye". */
  talks: [
    '/bin/sh',
    '-c',
    'stty -echo; printf "ready\\n"; while read -r line; do [ "$line" = bye ] && exit 3; printf "%s at %s\\n" "$line" "$(stty size)"; done',
  ],
} as const

export interface RuntimeContractFacts {
  readonly name: string
  readonly runtime: () => ContainerRuntime
  readonly image: () => string
  readonly labels: Readonly<Record<string, string>>
}

const never = (): AbortSignal => new AbortController().signal

export function describeContainerRuntime(facts: RuntimeContractFacts): void {
  describe(`the container runtime ${facts.name}`, () => {
    const names: string[] = []
    afterEach(async () => {
      for (const name of names.splice(0)) await facts.runtime().remove(name)
    })

    const spec = (argv: readonly string[], change: Partial<ContainerSpec> = {}): ContainerSpec => {
      const name = `alfred-contract-${randomUUID()}`
      names.push(name)
      return {
        name,
        image: facts.image(),
        argv,
        environment: {},
        workingDirectory: '/tmp',
        user: { uid: 1000, gid: 1000 },
        mounts: [
          { kind: 'tmpfs', target: '/tmp', sizeBytes: 10_000_000, exec: true, purpose: 'temporary files' },
        ],
        limits: { memoryBytes: 100_000_000, cpus: 1, pids: 64 },
        network: 'none',
        labels: { ...facts.labels, 'dev.alfred.contract': name },
        ...change,
      }
    }

    const startedOf = async (container: ContainerSpec) => {
      const started = await facts.runtime().start(container)
      if (!started.ok) throw new Error(started.error.message)
      return started.value
    }

    const madeOf = async (argv: readonly string[]) => {
      const container = spec(argv, { hasTerminal: true })
      const runtime = facts.runtime()
      const made = await runtime.create(container)
      if (!made.ok) throw new Error(made.error.message)
      return { container, runtime, id: made.value.id }
    }
    const holdOf = async (runtime: ContainerRuntime, id: string) => {
      const held = await runtime.attach(id)
      if (!held.ok) throw new Error(held.error.message)
      let text = ''
      const over = (async () => {
        for await (const bytes of held.value.output) text += Buffer.from(bytes).toString('utf8')
      })()
      return { terminal: held.value, shown: () => text, over }
    }
    /** Started, and past its first word: before, a shell has not set its trap yet. */
    const readyFor = async (argv: readonly string[]) => {
      const { container, runtime, id } = await madeOf(argv)
      const held = await holdOf(runtime, id)
      const started = await startedOf(container)
      await expect.poll(held.shown).toContain('ready')
      held.terminal.close()
      return started
    }

    it('says what it is', async () => {
      const info = await facts.runtime().info()
      expect(info.ok && info.value.cpus > 0).toBe(true)
    })

    it('starts a container and tells its exit code, image and times', async () => {
      const started = await startedOf(spec(contractPrograms.exits(42)))
      const ended = await facts.runtime().wait(started.id, never())
      expect(ended).toMatchObject({
        ok: true,
        value: { id: started.id, running: false, exitCode: 42, outOfMemory: false },
      })
      expect(ended.ok && ended.value.imageDigest).toMatch(/^sha256:/)
      // In no order: an engine may note the start of a short program after its end.
      expect(ended).toMatchObject({
        value: { startedAt: expect.any(Number), endedAt: expect.any(Number) },
      })
    })

    it('starts the same container once, also when it has ended', async () => {
      const container = spec(contractPrograms.exits(1))
      const first = await startedOf(container)
      expect((await startedOf(container)).id).toBe(first.id)
      await facts.runtime().wait(first.id, never())
      const again = await startedOf(container)
      expect(again).toMatchObject({ id: first.id, running: false, exitCode: 1 })
    })

    it('does not take the container of another for its own', async () => {
      const container = spec(contractPrograms.exits(0))
      await startedOf(container)
      const other = await facts
        .runtime()
        .start({ ...container, labels: { ...container.labels, 'dev.alfred.contract': 'other' } })
      expect(other.ok).toBe(false)
    })

    it('says that an image is missing, by its name', async () => {
      const started = await facts
        .runtime()
        .start(spec(contractPrograms.exits(0), { image: 'alfred-no-such-image:1' }))
      expect(started).toMatchObject({ ok: false, error: { type: 'image_missing' } })
      expect(started.ok ? '' : started.error.message).toContain('alfred-no-such-image:1')
    })

    it('stops with TERM, and an ended or gone one is stopped already', async () => {
      const started = await readyFor(contractPrograms.endsOnTerm)
      expect(await facts.runtime().stop(started.id, 5_000)).toMatchObject({ ok: true })
      expect(await facts.runtime().wait(started.id, never())).toMatchObject({
        ok: true,
        value: { exitCode: 9 },
      })
      expect(await facts.runtime().stop(started.id, 1_000)).toMatchObject({ ok: true })
      await facts.runtime().remove(started.id)
      expect(await facts.runtime().stop(started.id, 1_000)).toMatchObject({ ok: true })
    })

    it('kills what ignores TERM', async () => {
      const started = await readyFor(contractPrograms.ignoresTerm)
      await facts.runtime().stop(started.id, 1_000)
      expect(await facts.runtime().inspect(started.id)).toMatchObject({
        ok: true,
        value: { running: false, exitCode: 137, outOfMemory: false },
      })
    })

    it('ends a wait that is not wanted any more', async () => {
      const started = await startedOf(spec(contractPrograms.ignoresTerm))
      const stop = new AbortController()
      const waiting = facts.runtime().wait(started.id, stop.signal)
      stop.abort()
      expect(await waiting).toMatchObject({ ok: false, error: { type: 'aborted' } })
    })

    it('settles the wait for a container that is removed', async () => {
      const started = await startedOf(spec(contractPrograms.ignoresTerm))
      const waiting = facts.runtime().wait(started.id, never())
      await facts.runtime().remove(started.id)
      const ended = await waiting
      expect(ended.ok ? ended.value.running : ended.error.type).toSatisfy(
        (value: unknown) => value === false || value === 'not_found',
      )
    })

    it('finds containers by label, ended ones too, and none of others', async () => {
      const container = spec(contractPrograms.exits(0))
      const started = await startedOf(container)
      await facts.runtime().wait(started.id, never())
      const found = await facts.runtime().listByLabel('dev.alfred.contract', container.name)
      expect(found.ok && found.value.map(({ id }) => id)).toEqual([started.id])
      const none = await facts.runtime().listByLabel('dev.alfred.contract', 'nobody')
      expect(none.ok && none.value).toEqual([])
    })

    it('makes a container that does not run yet, the same one each time, and starts it then', async () => {
      const { container, runtime, id } = await madeOf(contractPrograms.talks)
      expect(await runtime.create(container)).toMatchObject({
        value: { id, running: false, startedAt: null, exitCode: expect.toSatisfy((code) => !code) },
      })
      expect(await startedOf(container)).toMatchObject({ id, running: true })
    })

    it('carries what is shown from the start on, what is typed, and the size', async () => {
      const { container, runtime, id } = await madeOf(contractPrograms.talks)
      const held = await holdOf(runtime, id)
      await startedOf(container)
      await expect.poll(held.shown).toContain('ready')
      expect(await runtime.resize(id, { columns: 101, rows: 37 })).toMatchObject({ ok: true })
      expect(held.terminal.write(Buffer.from('hällo\r'))).toBe(true)
      await expect.poll(held.shown).toContain('hällo at 37 101')
      held.terminal.write(Buffer.from('bye\r'))
      expect(await runtime.wait(id, never())).toMatchObject({ value: { exitCode: 3 } })
      await held.over
    })

    it('goes on when its terminal is let go of, and can be held again', async () => {
      const { container, runtime, id } = await madeOf(contractPrograms.talks)
      const first = await holdOf(runtime, id)
      await startedOf(container)
      await expect.poll(first.shown).toContain('ready')
      first.terminal.close()
      await first.over
      const second = await holdOf(runtime, id)
      second.terminal.write(Buffer.from('again\r'))
      await expect.poll(second.shown).toContain('again at')
      expect(first.shown()).not.toContain('again')
      expect(await runtime.inspect(id)).toMatchObject({ value: { running: true } })
    })

    it('says that a container has no terminal, and that one is gone', async () => {
      const started = await startedOf(spec(contractPrograms.endsOnTerm))
      expect(await facts.runtime().attach(started.id)).toMatchObject({ error: { type: 'unexpected' } })
      expect(await facts.runtime().attach('alfred-contract-gone')).toMatchObject({
        error: { type: 'not_found' },
      })
    })

    it('removes a running one, and one that is gone', async () => {
      const started = await startedOf(spec(contractPrograms.ignoresTerm))
      expect(await facts.runtime().remove(started.id)).toMatchObject({ ok: true })
      expect(await facts.runtime().remove(started.id)).toMatchObject({ ok: true })
      expect(await facts.runtime().inspect(started.id)).toMatchObject({
        ok: false,
        error: { type: 'not_found' },
      })
    })

    it('finds an image, or says that there is none', async () => {
      const found = await facts.runtime().findImage(facts.image())
      expect(found.ok && found.value?.digest).toMatch(/^sha256:/)
      expect(await facts.runtime().findImage('alfred-no-such-image:1')).toEqual({ ok: true, value: null })
    })

    it('has nothing to do for an image that is gone', async () => {
      expect(await facts.runtime().removeImage('alfred-no-such-image:1')).toEqual({ ok: true, value: true })
    })
  })
}
