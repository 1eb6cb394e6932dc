/*
 * Whether a text holds one of many forms of secrets. A search for each of them grows with their number, and of nearly
 * every text all of them say no; so what is longer is first looked for by samples of the text, whose number only grows
 * with the text.
 */

/** Shorter forms would need samples so close to each other that a search for each is faster. */
const shortestSampled = 16
/** Characters of one sample. */
const sampleLength = 4

export function createFormSearch(forms: readonly string[]): (text: string) => boolean {
  const sampled = forms.filter(({ length }) => length >= shortestSampled)
  const others = forms.filter(({ length }) => length < shortestSampled)
  const mayHold = sampled.length === 0 ? () => false : createSampling(sampled)
  const holdsOneOf = (text: string, these: readonly string[]): boolean =>
    these.some((form) => form.length <= text.length && text.includes(form))
  return (text) => holdsOneOf(text, others) || (mayHold(text) && holdsOneOf(text, sampled))
}

/**
 * Samples are so close to each other that a form, wherever it stands, has one of them whole: then that is one of the
 * form's own pieces. Says yes also of a text that has such a piece by chance.
 */
function createSampling(forms: readonly string[]): (text: string) => boolean {
  const step = Math.min(...forms.map(({ length }) => length)) - sampleLength + 1
  const pieces = new Set<number>()
  /** Of each piece, so that nearly every sample is told from them without a look into the set. */
  const marks = new Uint8Array(markCount)
  for (const form of forms) {
    for (let at = 0; at + sampleLength <= form.length; at += 1) {
      const piece = sampleAt(form, at)
      pieces.add(piece)
      marks[markOf(piece)] = 1
    }
  }
  return (text) => {
    for (let at = 0; at + sampleLength <= text.length; at += step) {
      const sample = sampleAt(text, at)
      if (marks[markOf(sample)] === 1 && pieces.has(sample)) return true
    }
    return false
  }
}

const sampleAt = (text: string, at: number): number =>
  text.charCodeAt(at) ^
  (text.charCodeAt(at + 1) << 8) ^
  (text.charCodeAt(at + 2) << 16) ^
  (text.charCodeAt(at + 3) << 24)

const markBits = 16
const markCount = 1 << markBits
/** The upper bits of a product with an odd number depend on all bits of the factor. */
const markOf = (sample: number): number => Math.imul(sample, 0x9e37_79b1) >>> (32 - markBits)
