import { markerKindSchema, type MarkerKind } from '@shared/model/words'
import type { Digest } from './facts'

/*
 * The hidden last line of every comment of Alfred's. It finds a comment again after a crash; it proves nothing
 * about who wrote it, so only comments of Alfred's own account are looked at.
 */

/** First 12 hex of sha256(install, mailbox, kind, cause). `what` is a marker kind, or the kind of another post. */
export const postKey = (
  digest: Digest,
  of: {
    readonly installId: string
    readonly mailboxId: number
    readonly what: string
    readonly cause: string
  },
): string => digest(JSON.stringify([of.installId, of.mailboxId, of.what, of.cause])).slice(0, 12)

export interface Marker {
  readonly key: string
  readonly kind: MarkerKind
}

export const markerLine = ({ key, kind }: Marker): string => `<!-- agent:key=${key}:kind=${kind} -->`

/** The comment as it is posted: the text, an empty line, the marker. */
export const withMarker = (text: string, marker: Marker): string =>
  `${text.trimEnd()}\n\n${markerLine(marker)}`

/** The marker in the last line of a comment; null when there is none. Lines above it are never read. */
export function parseMarker(body: string): Marker | null {
  const lastLine =
    body
      .trimEnd()
      .split(/\r\n|\r|\n/)
      .at(-1) ?? ''
  const match = /^<!-- agent:key=([0-9a-f]{12}):kind=([a-z_]+) -->$/.exec(lastLine.trim())
  const kind = markerKindSchema.safeParse(match?.[2])
  return match?.[1] !== undefined && kind.success ? { key: match[1], kind: kind.data } : null
}

/** The text above the marker. */
export const withoutMarker = (body: string): string =>
  parseMarker(body) === null
    ? body
    : body
        .trimEnd()
        .replace(/<!--[^\r\n]*$/, '')
        .trimEnd()

/** A forge may change line endings and the space at the end; nothing else may differ. */
const normalised = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

/** The digest of a text as it counts for "still what was posted". */
export const textSha256 = (digest: Digest, text: string): string => digest(normalised(text))
