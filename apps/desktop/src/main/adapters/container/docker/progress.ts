import type { ContainerError, ContainerErrorType, ImageBuildProgress } from '@main/ports/container-runtime'
import { streamedError } from './docker-errors'

/*
 * Pull, build and import answer 200 at once and tell everything else, errors too, as JSON lines.
 */

export interface ProgressReader {
  /** One JSON line; anything else is passed over. */
  line(text: string): ImageBuildProgress | null
  error(): ContainerError | null
  /** The last words of the build, for an error that explains nothing itself. */
  imageId(): string | null
}

interface EngineMessage {
  readonly stream?: unknown
  readonly status?: unknown
  readonly id?: unknown
  readonly error?: unknown
  readonly errorDetail?: unknown
  readonly progressDetail?: unknown
  readonly aux?: unknown
}

export function createProgressReader(what: string, failure: ContainerErrorType): ProgressReader {
  const layers = new Map<string, { current: number; total: number; phase: string }>()
  let step = what
  let fraction: number | null = null
  let failed: ContainerError | null = null
  let imageId: string | null = null
  let lastOutput = ''

  const onStream = (text: string): ImageBuildProgress | null => {
    const words = text.trim()
    if (words === '' || /^(--->|Removing intermediate)/.test(words)) return null
    const match = /^Step (\d+)\/(\d+) : (.*)$/s.exec(words)
    if (match !== null) {
      step = `step ${match[1]} of ${match[2]}`
      fraction = (Number(match[1]) - 1) / Number(match[2])
      return { step, fraction, detail: firstLine(match[3] ?? '') }
    }
    lastOutput = words
    return { step, fraction, detail: firstLine(words) }
  }

  const onStatus = (message: EngineMessage, status: string): ImageBuildProgress => {
    if (typeof message.id === 'string') {
      const detail = figures(message.progressDetail)
      const known = layers.get(message.id)
      layers.set(message.id, {
        current:
          detail?.current ?? (/complete|exists/i.test(status) ? (known?.total ?? 0) : (known?.current ?? 0)),
        total: detail?.total ?? known?.total ?? 0,
        phase: status,
      })
      fraction = layerFraction([...layers.values()])
    }
    return { step: what, fraction, detail: layerWords([...layers.values()], status) }
  }

  return {
    line: (text) => {
      const message = parseMessage(text)
      if (message === null) return null
      if (typeof message.error === 'string') {
        const words = lastOutput === '' ? message.error : `${message.error} (${lastOutput.slice(-500)})`
        failed = streamedError(words, what, failure)
        return null
      }
      imageId = idOf(message.aux) ?? imageId
      if (typeof message.stream === 'string') return onStream(message.stream)
      if (typeof message.status === 'string') {
        if (/^sha256:[0-9a-f]{64}$/.test(message.status)) imageId = message.status
        return onStatus(message, message.status)
      }
      return null
    },
    error: () => failed,
    imageId: () => imageId,
  }
}

function parseMessage(text: string): EngineMessage | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

const idOf = (aux: unknown): string | null =>
  typeof aux === 'object' && aux !== null && 'ID' in aux && typeof aux.ID === 'string' ? aux.ID : null

function figures(detail: unknown): { readonly current: number; readonly total: number } | null {
  if (typeof detail !== 'object' || detail === null || !('current' in detail) || !('total' in detail))
    return null
  return typeof detail.current === 'number' && typeof detail.total === 'number'
    ? { current: detail.current, total: detail.total }
    : null
}

function layerFraction(
  layers: readonly { readonly current: number; readonly total: number }[],
): number | null {
  const total = layers.reduce((sum, layer) => sum + layer.total, 0)
  if (total === 0) return null
  return Math.min(1, layers.reduce((sum, layer) => sum + layer.current, 0) / total)
}

function layerWords(
  layers: readonly { readonly phase: string; readonly total: number }[],
  status: string,
): string {
  if (layers.length < 2) return firstLine(status)
  const done = layers.filter((layer) => /complete|exists/i.test(layer.phase)).length
  const megabytes = Math.round(layers.reduce((sum, layer) => sum + layer.total, 0) / 1_000_000)
  return megabytes === 0
    ? `${done} of ${layers.length} layers`
    : `${done} of ${layers.length} layers, ${megabytes} MB`
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 200)
