import { matchParts } from './match-parts'

/** Text with the words that were searched for marked. */
export function Highlight({ text, query }: { readonly text: string; readonly query: string }) {
  return matchParts(text, query).map((part, index) =>
    part.isMatch ? <mark key={index}>{part.text}</mark> : part.text,
  )
}
