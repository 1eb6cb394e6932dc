/** The end of a text that goes on growing, bounded; for the classifiers of a failed start. */
export interface TextTail {
  add(line: string): void
  text(): string
}

export function createTextTail(maxCharacters = 16_384): TextTail {
  let lines: string[] = []
  let held = 0
  return {
    add: (line) => {
      const kept = line.length > maxCharacters ? line.slice(-maxCharacters) : line
      lines.push(kept)
      held += kept.length + 1
      // Trimmed in bulk, so that a line costs the same on average whatever the tail holds.
      if (held > maxCharacters * 2) {
        const text = lines.join('\n').slice(-maxCharacters)
        lines = [text]
        held = text.length + 1
      }
    },
    text: () => lines.join('\n').slice(-maxCharacters),
  }
}
