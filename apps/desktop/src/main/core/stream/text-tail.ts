/** The end of a text that goes on growing, bounded; for the classifiers of a failed start. */
export interface TextTail {
  add(line: string): void
  addAll(lines: readonly string[]): void
  text(): string
}

export function createTextTail(maxCharacters = 16_384): TextTail {
  const lines: string[] = []
  let held = 0
  const add = (line: string): void => {
    const kept = line.length > maxCharacters ? line.slice(-maxCharacters) : line
    lines.push(kept)
    held += kept.length + 1
    while (held - lengthOf(lines[0]) >= maxCharacters) held -= lengthOf(lines.shift())
  }
  return {
    add,
    addAll: (added) => {
      // Of very many only the last ones stay.
      let from = added.length
      for (let taken = 0; from > 0 && taken < maxCharacters; taken += lengthOf(added[from])) from -= 1
      for (const line of added.slice(from)) add(line)
    },
    text: () => lines.join('\n').slice(-maxCharacters),
  }
}

/** With the line feed that comes behind it. */
const lengthOf = (line: string | undefined): number => (line?.length ?? 0) + 1
