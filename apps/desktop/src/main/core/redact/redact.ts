import { secretForms } from './secret-forms'
import { holdsToken, redacted, tokenPatterns } from './token-patterns'

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/**
 * Replaces every known value (as it is, in JSON, URL-encoded or in base64) and everything that looks like a
 * token by `[redacted]`. Time grows linearly with the text.
 */
export function redact(text: string, knownValues: readonly string[]): string {
  return createRedact(() => knownValues)(text)
}

/** The same for many texts. */
export function createRedact(knownValues: () => readonly string[]): Redact {
  const formsNow = createForms(knownValues)
  return (text) => redactTokens(redactForms(text, formsNow()))
}

/** Says of a text whether a known value is in it, in whatever form. What only looks like a token does not count. */
export function createSecretFinder(knownValues: () => readonly string[]): (text: string) => boolean {
  const formsNow = createForms(knownValues)
  return (text) => formsNow().some((form) => text.includes(form))
}

/** The forms of the known values, worked out again only when these change. */
function createForms(knownValues: () => readonly string[]): () => readonly string[] {
  let forms: readonly string[] = []
  let source: readonly string[] = []
  return () => {
    const values = knownValues()
    if (!isSame(values, source)) {
      source = [...values]
      forms = secretForms(values)
    }
    return forms
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
  if (!holdsToken(text)) return text
  let result = text
  for (const { find, replace } of tokenPatterns) result = result.replace(find, replace)
  return result
}
