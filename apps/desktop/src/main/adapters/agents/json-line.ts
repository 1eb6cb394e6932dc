import { neutraliseControls } from '@main/core/stream/control-sequences'
import { holdsRareEscapes } from '@main/core/stream/json-escapes'

/**
 * The value of a line of JSON; null for what is no JSON. The line itself holds no control characters, and the texts of
 * the value hold none that it wrote as escapes either. Never throws.
 */
export function parseJsonLine(line: string): unknown {
  try {
    // Most lines have none, and looking for them takes far less than looking through each text again.
    return holdsRareEscapes(line) ? JSON.parse(line, neutralised) : JSON.parse(line)
  } catch {
    return null
  }
}

const neutralised = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? neutraliseControls(value) : value
