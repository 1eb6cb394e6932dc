import { err, ok } from '@shared/result'
import type { ContainerRuntime, ContainerTerminal } from '@main/ports/container-runtime'
import type { DockerConnector } from './connection'
import { containerError } from './docker-errors'

/** Typed bytes that may wait for the container: a paste, and not what a program that hangs is sent for hours. */
const mostUnread = 4_000_000

/** The engine's own attach: the connection carries the bytes of the terminal in both directions, and nothing else. */
export function createTerminals(connector: DockerConnector): Pick<ContainerRuntime, 'attach' | 'resize'> {
  return {
    async attach(id) {
      const attached = await connector.call('taking hold of the terminal', async ({ docker }) => {
        const container = docker.getContainer(id)
        const { Config } = await container.inspect()
        if (!Config.Tty) return null
        const flow = { stream: true, stdin: true, stdout: true, stderr: true, hijack: true }
        return toTerminal(await container.attach(flow))
      })
      if (!attached.ok) return attached
      return attached.value === null
        ? err(containerError('unexpected', 'the container was made without a terminal'))
        : ok(attached.value)
    },
    async resize(id, { columns, rows }) {
      const resized = await connector.call('resizing the terminal', ({ docker }) =>
        docker.getContainer(id).resize({ w: columns, h: rows }),
      )
      return resized.ok ? ok(undefined) : resized
    },
  }
}

type Flow = NodeJS.ReadWriteStream & { readonly writableLength?: number; destroy?(): void }

function toTerminal(flow: Flow): ContainerTerminal {
  // A connection that breaks ends the output; whether the container ended with it is asked of the engine.
  flow.on('error', () => undefined)
  return {
    output: bytesOf(flow),
    write(bytes) {
      if (!flow.writable || (flow.writableLength ?? 0) > mostUnread) return false
      flow.write(bytes)
      return true
    },
    close: () => flow.destroy?.(),
  }
}

async function* bytesOf(flow: Flow): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of flow) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  } catch {
    // See above: it is over.
  }
}
