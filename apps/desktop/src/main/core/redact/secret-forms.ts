/*
 * The shapes in which a secret turns up in output: as it is, inside JSON, URL-encoded, and in base64, where
 * the same bytes look different at each of three offsets.
 */

/** A shorter value would hide ordinary words; no forge or model provider hands out one. */
const shortestValue = 4
/** Shorter pieces of base64 occur by chance. */
const shortestEncoded = 8
/** Output is seen line by line, so a long line of a secret with several lines is a secret of its own. */
const shortestLine = 16

/** Every text to look for, longest first, so that a longer form is not left half standing. */
export function secretForms(knownValues: readonly string[]): readonly string[] {
  const forms = new Set<string>()
  for (const value of knownValues) {
    for (const part of [value, ...longLines(value)]) {
      if (part.length < shortestValue) continue
      for (const form of formsOf(part)) forms.add(form)
    }
  }
  return [...forms].toSorted((a, b) => b.length - a.length)
}

const longLines = (value: string): readonly string[] =>
  /[\r\n]/.test(value) ? value.split(/[\r\n]+/).filter((line) => line.length >= shortestLine) : []

function formsOf(value: string): readonly string[] {
  const encoded = [0, 1, 2]
    .map((offset) => base64At(value, offset))
    .filter((form) => form.length >= shortestEncoded)
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    ...urlForms(value),
    ...encoded,
    ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

function urlForms(value: string): readonly string[] {
  // Through UTF-8 and back, since half a surrogate pair makes encodeURIComponent throw.
  const component = encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'))
  const strict = component.replaceAll(/[!'()*~]/g, (c) => `%${c.codePointAt(0)?.toString(16).toUpperCase()}`)
  return [component, strict].flatMap((form) => [form, lowerHex(form), form.replaceAll('%20', '+')])
}

const lowerHex = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

/** The base64 characters that depend on the value alone when `offset` bytes (mod 3) stand before it. */
function base64At(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value, 'utf8')])
  const first = Math.ceil((offset * 8) / 6)
  const end = Math.floor((bytes.length * 8) / 6)
  return bytes.toString('base64').slice(first, end)
}
