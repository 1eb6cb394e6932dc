import { beforeAll } from 'vitest'
import type { ContainerRuntime, ContainerSpec } from '@main/ports/container-runtime'
import { createFakeContainerRuntime, type FakeExit } from '../fakes/fake-container-runtime'
import type { FakeTerminal } from '../fakes/fake-terminal'
import { agentImageTag, testLabel, testRuntime } from '../integration/support/agent-container'
import { contractPrograms, describeContainerRuntime } from './container-runtime.contract'

let docker: ContainerRuntime
let image = ''
beforeAll(async () => {
  docker = testRuntime()
  image = await agentImageTag(docker)
})

describeContainerRuntime({ name: 'docker', runtime: () => docker, image: () => image, labels: testLabel })

function play({ argv }: ContainerSpec, stopped: AbortSignal, terminal: FakeTerminal): Promise<FakeExit> {
  if (argv === contractPrograms.talks) return talk(terminal)
  if (argv === contractPrograms.endsOnTerm || argv === contractPrograms.ignoresTerm) terminal.print('ready')
  if (argv === contractPrograms.endsOnTerm) {
    return new Promise((resolve) => stopped.addEventListener('abort', () => resolve({ exitCode: 9 })))
  }
  if (argv === contractPrograms.ignoresTerm) return new Promise(() => {})
  return Promise.resolve({ exitCode: Number(/exit (\d+)/.exec(argv.join(' '))?.[1] ?? 0) })
}

function talk(terminal: FakeTerminal): Promise<FakeExit> {
  let size = '0 0'
  terminal.print('ready\r\n')
  terminal.onResized(({ columns, rows }) => (size = `${rows} ${columns}`))
  return new Promise((resolve) =>
    terminal.onTyped((text) =>
      text.startsWith('bye') ? resolve({ exitCode: 3 }) : terminal.print(`${text.trimEnd()} at ${size}\r\n`),
    ),
  )
}

const fake = createFakeContainerRuntime({ program: play, images: ['fake-image:1'] })
describeContainerRuntime({
  name: 'fake',
  runtime: () => fake,
  image: () => 'fake-image:1',
  labels: testLabel,
})
