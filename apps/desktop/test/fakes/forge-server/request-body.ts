import type { IncomingMessage } from 'node:http'
import type { Refusals } from './answer'

/*
 * The body of a request: JSON, or a form, whose fields are texts.
 */

export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export function fieldsOf(bytes: Buffer, contentType: string, refuse: Refusals): Record<string, unknown> {
  if (bytes.length === 0) return {}
  if (contentType === '') throw refuse(422, '[]: Empty Content-Type')
  const text = bytes.toString('utf8')
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse(422, '[]: unexpected EOF')
  }
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
