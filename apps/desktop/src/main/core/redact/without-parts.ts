import type { Redact } from './redact'

/*
 * Many CLIs print a text while it is written: a line for each piece of it, and then one for the whole. A secret that
 * comes in pieces looks like none in any of them.
 */

/** The words of a piece, as the CLIs that are known print it; the last line may lack its end. */
const part =
  /("type":"(?:text|thinking|input_json)_delta","(?:text|thinking|partial_json)":|"(?:deltaContent|inputDelta)":|"type":"partial","text":)"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/g

/** For a stream as it was printed: of a text in pieces only the whole stays. */
export const withoutParts =
  (redact: Redact): Redact =>
  (text) =>
    redact(text.replace(part, '$1""'))
