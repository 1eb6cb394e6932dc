import { secretForms } from './secret-forms'
import { redacted, tokenPatterns } from './token-patterns'

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/**
 * Replaces every known value (as it is, in JSON, URL-encoded or in base64) and everything that looks like a
 * token by `[redacted]`. Time grows linearly with the text.
 */
export function redact(text: string, knownValues: readonly string[]): string {
  return createRedact(() => knownValues)(text)
}

/** The same for many texts: the forms of the known values are worked out again only when these change. */
export function createRedact(knownValues: () => readonly string[]): Redact {
  let forms: readonly string[] = []
  let source: readonly string[] = []

  return (text) => {
    const values = knownValues()
    if (!isSame(values, source)) {
      source = [...values]
      forms = secretForms(values)
    }
    return redactTokens(redactForms(text, forms))
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

// A plain search for each form is several times as fast as one pattern of all of them.
function redactForms(text: string, forms: readonly string[]): string {
  let result = text
  for (const form of forms) {
    if (form.length <= result.length && result.includes(form)) result = result.replaceAll(form, redacted)
  }
  return result
}

function redactTokens(text: string): string {
  let result = text
  for (const { find, replace } of tokenPatterns) result = result.replace(find, replace)
  return result
}
