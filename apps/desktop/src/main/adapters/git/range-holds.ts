import { ok, type Result } from '@shared/result'
import { secretReach } from '@main/core/redact/safe-cut'
import type { GitError } from '@main/ports/git'
import { gitOutput } from './git-errors'
import type { RunGit } from './run-git'

/** Everything that a commit says and changes, as text; nothing that the tree names is run to show it. */
const everything = [
  'log',
  '--format=%B%n%an <%ae>%n%cn <%ce>',
  '--patch',
  '-m',
  '--text',
  '--no-ext-diff',
  '--no-textconv',
  '--no-renames',
  '--no-color',
] as const

export interface HeldRange {
  readonly baseSha: string
  readonly headSha: string
  readonly holds: (text: string) => boolean
  readonly signal: AbortSignal
}

/** Whether a message, a name or a line of the commits `baseSha..headSha` holds it; also one that a later commit takes out. */
export async function rangeHolds(
  run: RunGit,
  gitDir: string,
  { baseSha, headSha, holds, signal }: HeldRange,
): Promise<Result<boolean, GitError>> {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  let before = ''
  let isHeld = false
  const read = await gitOutput(run, {
    gitDir,
    args: [...everything, `${baseSha}..${headSha}`, '--'],
    signal,
    onOutput: (chunk) => {
      if (isHeld) return
      const text = before + decoder.decode(chunk, { stream: true })
      isHeld = holds(text)
      before = text.slice(-secretReach)
    },
  })
  return read.ok ? ok(isHeld) : read
}
