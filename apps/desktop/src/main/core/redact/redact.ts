import { createFormSearch } from './form-search'
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
  const knownNow = createKnown(knownValues)
  return (text) => redactTokens(redactForms(text, knownNow()))
}

/** Says of a text whether a known value is in it, in whatever form. What only looks like a token does not count. */
export function createSecretFinder(knownValues: () => readonly string[]): (text: string) => boolean {
  const knownNow = createKnown(knownValues)
  return (text) => knownNow().areIn(text)
}

interface Known {
  readonly forms: readonly string[]
  readonly areIn: (text: string) => boolean
}

/** The forms of the known values, worked out again only when these change. */
function createKnown(knownValues: () => readonly string[]): () => Known {
  let known: Known = { forms: [], areIn: () => false }
  let source: readonly string[] = []
  return () => {
    const values = knownValues()
    if (!isSame(values, source)) {
      source = [...values]
      const forms = secretForms(values)
      known = { forms, areIn: createFormSearch(forms) }
    }
    return known
  }
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

function redactForms(text: string, { forms, areIn }: Known): string {
  return areIn(text) ? forms.reduce((left, form) => left.replaceAll(form, redacted), text) : text
}

function redactTokens(text: string): string {
  if (!holdsToken(text)) return text
  let result = text
  for (const { find, replace } of tokenPatterns) result = result.replace(find, replace)
  return result
}
