import { lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { isValidBranchName } from '@main/core/forge/branch-name'
import { fetchRefs } from './fetch'
import { bundleRefused, gitOutput, gitWords, stoppedError } from './git-errors'
import { countCommits, isAncestor, isSha, readRef, requireShas } from './refs'
import { rangeHolds } from './range-holds'
import { fileUrl } from './remote-access'
import type { RunGit } from './run-git'

/*
 * Commits out of a bundle that the agent made. Nothing in it is believed: not its refs, not its objects.
 * bundle -> quarantine repository (borrows the bare one's objects) -> checks -> fsck'd fetch -> bare repository.
 */

export interface BundleRequest {
  /** The app's bare repository that takes the commits. */
  readonly gitDir: string
  /** Where quarantine repositories are made and removed again. */
  readonly quarantineFolder: string
  readonly bundlePath: string
  /** The only branch that the bundle may hold; null: exactly one ref, whatever its name. */
  readonly branch: string | null
  readonly baseSha: string
  /** The ref of the bare repository that gets the head. */
  readonly targetRef: string
  readonly maxBytes: number
  /** Whether a text holds a secret that the app knows: such commits would carry it to the forge. */
  readonly holdsSecret: (text: string) => boolean
  readonly signal: AbortSignal
}

/** Enough for one ref; a bundle with more is refused without reading the rest. */
const maxHeadsBytes = 4_000

const candidate = 'refs/heads/candidate'

/** Git before 2.46 checks nothing in a bundle, so a second fetch over `file://` does. Never unpacked loose: all or nothing. */
const checkedFetch = [
  ['fetch.fsckObjects', 'true'],
  ['transfer.fsckObjects', 'true'],
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
] as const

/** Errors: `bundle_refused` with the reason in words, and the bare repository is as it was. */
export async function takeBundle(
  run: RunGit,
  request: BundleRequest,
): Promise<Result<{ readonly headSha: string; readonly commits: number }, GitError>> {
  const checked = requireShas(request.baseSha)
  if (!checked.ok) return checked
  const size = await checkFile(request)
  if (!size.ok) return size
  await mkdir(request.quarantineFolder, { recursive: true, mode: 0o700 })
  const quarantine = await mkdtemp(join(request.quarantineFolder, 'bundle-'))
  try {
    return await takeThrough(run, request, quarantine)
  } finally {
    await rm(quarantine, { recursive: true, force: true })
  }
}

async function takeThrough(
  run: RunGit,
  request: BundleRequest,
  quarantine: string,
): Promise<Result<{ readonly headSha: string; readonly commits: number }, GitError>> {
  const { gitDir, baseSha, signal } = request
  const made = await makeQuarantine(run, request, quarantine)
  if (!made.ok) return made
  const head = await readOnlyHead(run, request, quarantine)
  if (!head.ok) return head
  const unbundled = await unbundle(run, request, quarantine, head.value)
  if (!unbundled.ok) return unbundled
  const headSha = head.value.sha

  const descends = await isAncestor(run, quarantine, baseSha, headSha)
  if (!descends.ok) return err(refusedBecause(descends.error, 'its commits could not be read'))
  if (!descends.value)
    return err(bundleRefused('its commits do not go on from the commit that the run began with'))
  const commits = await countCommits(run, quarantine, baseSha, headSha)
  if (!commits.ok) return commits
  const secret = await rangeHolds(run, quarantine, { baseSha, headSha, holds: request.holdsSecret, signal })
  if (!secret.ok) return secret
  if (secret.value) return err(bundleRefused('one of its commits holds a secret that Alfred knows'))

  const before = await leftovers(gitDir)
  const fetched = await fetchRefs(run, {
    gitDir,
    remote: { url: fileUrl(quarantine), credential: null },
    refspecs: [`+${candidate}:${request.targetRef}`],
    config: checkedFetch,
    signal,
  })
  if (!fetched.ok) {
    await removeNewLeftovers(gitDir, before)
    return err(
      signal.aborted
        ? fetched.error
        : refusedBecause(fetched.error, 'git found a harmful or broken object in it'),
    )
  }
  return ok({ headSha, commits: commits.value })
}

async function checkFile({ bundlePath, maxBytes }: BundleRequest): Promise<Result<void, GitError>> {
  const stats = await lstat(bundlePath).catch(() => null)
  if (stats === null) return err(bundleRefused('it is not there'))
  if (!stats.isFile()) return err(bundleRefused('it is not a regular file'))
  if (stats.size > maxBytes)
    return err(bundleRefused(`it has ${stats.size} bytes, and ${maxBytes} are allowed`))
  return ok(undefined)
}

/** A bare repository that sees the app's objects and writes only its own. */
async function makeQuarantine(
  run: RunGit,
  { gitDir }: BundleRequest,
  quarantine: string,
): Promise<Result<void, GitError>> {
  const made = await gitOutput(run, {
    args: ['init', '--bare', '--quiet', '--template=', '--initial-branch=main', '--', quarantine],
  })
  if (!made.ok) return made
  await mkdir(join(quarantine, 'objects', 'info'), { recursive: true })
  await writeFile(join(quarantine, 'objects', 'info', 'alternates'), `${join(gitDir, 'objects')}\n`)
  return ok(undefined)
}

interface BundleHead {
  readonly sha: string
  readonly ref: string
}

async function readOnlyHead(
  run: RunGit,
  { bundlePath, branch, signal }: BundleRequest,
  quarantine: string,
): Promise<Result<BundleHead, GitError>> {
  const listed = await run({
    gitDir: quarantine,
    args: ['bundle', 'list-heads', bundlePath],
    maxOutputBytes: maxHeadsBytes,
    signal,
  })
  if (!listed.ok) {
    return err(
      listed.error.type === 'too_much_output' ? bundleRefused(otherRefs(branch)) : stoppedError(listed.error),
    )
  }
  if (listed.value.exitCode !== 0)
    return err(bundleRefused(`git cannot read it (${gitWords(listed.value.stderr)})`))
  const lines = listed.value.stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
  if (lines.length === 0) return err(bundleRefused('it holds no branch'))
  const [sha = '', ref = ''] = lines[0]?.split(/ (.*)/s) ?? []
  const isExpected = branch === null ? isPlainRef(ref) : ref === `refs/heads/${branch}`
  if (lines.length > 1 || !isSha(sha) || !isExpected) return err(bundleRefused(otherRefs(branch)))
  return ok({ sha, ref })
}

const otherRefs = (branch: string | null): string =>
  branch === null
    ? 'it holds something other than one branch'
    : `it holds something other than the branch ${branch}`

/** The name goes into a refspec, where `:`, `*` and `^` have a meaning of their own. */
function isPlainRef(ref: string): boolean {
  return ref === 'HEAD' || (ref.startsWith('refs/') && isValidBranchName(ref))
}

async function unbundle(
  run: RunGit,
  { bundlePath, signal }: BundleRequest,
  quarantine: string,
  head: BundleHead,
): Promise<Result<void, GitError>> {
  const fetched = await fetchRefs(run, {
    gitDir: quarantine,
    remote: { url: bundlePath, credential: null },
    refspecs: [`+${head.ref}:${candidate}`],
    config: [['fetch.unpackLimit', '1']],
    signal,
  })
  if (!fetched.ok)
    return err(signal.aborted ? fetched.error : refusedBecause(fetched.error, 'git cannot unpack it'))
  const found = await readRef(run, quarantine, candidate)
  if (!found.ok) return found
  return found.value === head.sha
    ? ok(undefined)
    : err(bundleRefused('its branch is not the commit that it names'))
}

/** A failure of the computer stays what it is; what the bundle caused is the bundle's. */
function refusedBecause(error: GitError, reason: string): GitError {
  const isOurs = error.type === 'git_missing' || error.type === 'disk_full'
  if (isOurs || /not finish in time/.test(error.message)) return error
  return bundleRefused(`${reason} (${error.message})`)
}

/** Git leaves its half-written packs behind when it refuses what is in them. */
async function leftovers(gitDir: string): Promise<ReadonlySet<string>> {
  const names = await readdir(join(gitDir, 'objects', 'pack')).catch((): string[] => [])
  return new Set(names.filter((name) => name.startsWith('tmp_')))
}

async function removeNewLeftovers(gitDir: string, before: ReadonlySet<string>): Promise<void> {
  for (const name of await leftovers(gitDir)) {
    if (!before.has(name)) await rm(join(gitDir, 'objects', 'pack', name), { force: true })
  }
}
