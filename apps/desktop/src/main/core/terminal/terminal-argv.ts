import { err, ok, type Result } from '@shared/result'

/*
 * How the terminal programs that people have are told what to run: words in, words out, and no shell between them.
 */

type Words = readonly string[]

/** In the order in which they are looked for. */
const linuxPrograms: readonly (readonly [string, (title: string, command: Words) => Words])[] = [
  ['x-terminal-emulator', (_title, command) => ['-e', ...command]],
  ['gnome-terminal', (title, command) => ['--wait', `--title=${title}`, '--', ...command]],
  ['konsole', (title, command) => ['--separate', '-p', `tabtitle=${title}`, '-e', ...command]],
  ['xfce4-terminal', (title, command) => ['--disable-server', `--title=${title}`, '-x', ...command]],
  ['kitty', (title, command) => ['--title', title, '--', ...command]],
  ['ghostty', (title, command) => [`--title=${title}`, '-e', ...command]],
  ['wezterm', (_title, command) => ['start', '--', ...command]],
  ['alacritty', (title, command) => ['--title', title, '-e', ...command]],
  ['foot', (title, command) => [`--title=${title}`, ...command]],
  ['xterm', (title, command) => ['-T', title, '-e', ...command]],
]

export interface TerminalFacts {
  readonly platform: NodeJS.Platform
  /** Whether a program of this name is there. */
  readonly has: (name: string) => boolean
  /** `$TERMINAL`: what the person prefers. */
  readonly preferred: string | null
}

/** The words that open a terminal with this command; null: none is known here. */
export function terminalArgv(
  { platform, has, preferred }: TerminalFacts,
  title: string,
  command: Words,
): Words | null {
  if (platform === 'win32') return windowsArgv(has, title, command)
  if (platform === 'darwin') return ['open', '-b', 'com.apple.Terminal', ...command]
  const wanted = linuxPrograms.filter(([name]) => name === preferred)
  const found = [...wanted, ...linuxPrograms].find(([name]) => has(name))
  return found === undefined ? null : [found[0], ...found[1](title, command)]
}

/** The terminal of Windows splits its words at every `;`, also within one. */
function windowsArgv(has: TerminalFacts['has'], title: string, command: Words): Words {
  const escaped = (word: string): string => word.replaceAll(';', '\\;')
  return has('wt.exe')
    ? ['wt.exe', '-w', 'new', 'new-tab', '--title', escaped(title), '--', ...command.map(escaped)]
    : ['conhost.exe', ...command]
}

/** A template of the person: words, parts of them in quotes as in a shell, and one of them `{command}`. */
export function templateArgv(template: string, command: Words): Result<Words, string> {
  const words = template.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g) ?? []
  const unmatched = words.find((word) => word === '"' || word === "'")
  if (unmatched !== undefined)
    return err(
      `TERMINAL_COMMAND has a ${unmatched} without its other one. Put a word that holds it into quotes of the other kind.`,
    )
  const plain = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  if (!plain.includes('{command}'))
    return err('TERMINAL_COMMAND needs {command} as a word of its own, as in: kitty -- {command}')
  return ok(plain.flatMap((word) => (word === '{command}' ? command : [word])))
}
