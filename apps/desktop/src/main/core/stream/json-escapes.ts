const [n, t, quote, backslash] = [0x6e, 0x74, 0x22, 0x5c]

/**
 * Whether a line may hold escapes of JSON other than those of nearly every text (line feed, tab, quote, backslash), also
 * inside JSON that is itself a text. From one backslash to the next takes a third of a search for each of the others.
 */
export function holdsRareEscapes(line: string): boolean {
  if (line !== asked) {
    asked = line
    answer = looksRare(line)
  }
  return answer
}

/** Whoever parses a line asks, and then whoever redacts what was made of it. */
let asked = ''
let answer = false

function looksRare(line: string): boolean {
  for (let at = line.indexOf('\\'); at !== -1; at = line.indexOf('\\', at + 1)) {
    const next = line.charCodeAt(at + 1)
    if (next !== n && next !== quote && next !== backslash && next !== t) return true
  }
  return false
}
