import { err, ok, type Result } from '@shared/result'
import type { GitError, GitErrorType } from '@main/ports/git'
import type { GitOutput, GitRequest, GitStopped, RunGit } from './run-git'

/*
 * Git's words into ours. LC_ALL=C makes them the same everywhere.
 */

export const gitError = (type: GitErrorType, message: string): GitError => ({ type, message })

/** `reason` goes on from "The bundle was refused: ". */
export const bundleRefused = (reason: string): GitError =>
  gitError('bundle_refused', `The bundle was refused: ${reason}.`)

export function stoppedError(stop: GitStopped): GitError {
  return gitError(stop.type === 'git_missing' ? 'git_missing' : 'unexpected', stop.message)
}

/** First match wins; the order goes from the particular to the general. */
const failures: readonly (readonly [RegExp, GitErrorType, string])[] = [
  [/no space left on device|disk quota exceeded/i, 'disk_full', 'The disk is full.'],
  [
    /stale info|fetch first|non-fast-forward|cannot lock ref|reference already exists/i,
    'moved',
    'The branch has moved.',
  ],
  [
    /protected branch|GH006|pre-receive hook declined.*protect/i,
    'remote_refused',
    'The branch is protected on the forge.',
  ],
  [
    /returned error: 413|quota exceeded|(?:too large|size limit|exceeds .{0,40}(?:size|limit)|maximum allowed size)/i,
    'remote_refused',
    'The push is too large for the forge.',
  ],
  [
    /pre-receive hook declined|update hook declined|hook declined/i,
    'remote_refused',
    'A hook of the forge refused the push.',
  ],
  [/remote rejected/i, 'remote_refused', 'The forge refused the push.'],
  [
    /authentication failed|could not read (username|password)|invalid credentials|returned error: 40[13]|access denied|permission denied \(/i,
    'unauthorized',
    "The forge does not accept Alfred's token for this repository.",
  ],
  [
    /repository '.*' not found|does not appear to be a git repository|repository not found|returned error: 404/i,
    'not_found',
    'There is no such repository on the forge.',
  ],
  [
    /permission denied|read-only file system|insufficient permission/i,
    'unexpected',
    'Git may not write there.',
  ],
  [/dubious ownership/i, 'unauthorized', 'The repository belongs to another user of this computer.'],
  [
    /ssl certificate|certificate verify|server certificate|SSL_ERROR/i,
    'remote_unreachable',
    "The forge's certificate is not trusted.",
  ],
  [
    /returned error: 30\d|unable to update url base from redirection/i,
    'remote_refused',
    'The repository has another address by now.',
  ],
  [
    /could not resolve|failed to connect|couldn't connect|connection (refused|reset|timed out)|timed out|network is unreachable|early eof|hung up|returned error: (?:429|5\d\d)/i,
    'remote_unreachable',
    'The forge cannot be reached.',
  ],
  [/transport '.*' not allowed/i, 'remote_refused', 'Alfred does not use this kind of address.'],
]

/** What a failed git says, in our words and its own. `secrets` are taken out of both. */
export function failureError(stderr: string, secrets: readonly string[] = []): GitError {
  const words = gitWords(stderr, secrets)
  const known = failures.find(([pattern]) => pattern.test(stderr))
  if (known === undefined)
    return gitError('unexpected', words === '' ? 'Git failed without a word.' : `Git failed: ${words}`)
  const [, type, message] = known
  return gitError(type, words === '' ? message : `${message} Git says: ${words}`)
}

/** The lines that matter, on one line, bounded, without secrets and control characters. */
export function gitWords(stderr: string, secrets: readonly string[] = []): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .filter((line) => /^(fatal|error|remote|!|warning):?/i.test(line.trim()))
  const chosen = (lines.length > 0 ? lines : stderr.split(/[\r\n]+/))
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return redact(chosen.join('; '), secrets)
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 600)
}

function redact(text: string, secrets: readonly string[]): string {
  const withoutKnown = secrets
    .filter((secret) => secret.length > 0)
    .reduce(
      (rest, secret) => rest.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***'),
      text,
    )
  return withoutKnown.replaceAll(/\/\/[^/@\s]+@/g, '//***@')
}

/** Runs git and expects it to succeed. */
export async function gitOutput(
  run: RunGit,
  request: GitRequest,
  secrets: readonly string[] = [],
): Promise<Result<GitOutput, GitError>> {
  const result = await run(request)
  if (!result.ok) return err(stoppedError(result.error))
  return result.value.exitCode === 0 ? result : err(failureError(result.value.stderr, secrets))
}

/** Runs git, expects it to succeed, and returns its output as trimmed text. */
export async function gitText(run: RunGit, request: GitRequest): Promise<Result<string, GitError>> {
  const result = await gitOutput(run, request)
  return result.ok ? ok(result.value.stdout.toString().trim()) : result
}
