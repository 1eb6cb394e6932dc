import { z } from 'zod'
import type { RunFailure } from '@shared/contract/runs'
import { isTalk } from '../../core/run/talk'
import { parseResult, type RunResult } from '../../core/result/parse-result'
import type { MailboxRepository } from '../../ports/git'
import { diskFull } from '../../ports/storage-failure'
import type { RunContext } from './run-context'
import type { TakenOutputs } from './run-files'
import { failure, type RunParts } from './run-parts'

/*
 * What a start left behind, checked. All of it was written by the agent or beside it, so nothing here is believed:
 * commits go through the quarantine repository, and the branch comes from the database.
 */

export interface Harvest {
  /** The entry came to its collect step, or had nothing to collect. */
  readonly isCollected: boolean
  /** The entry could not collect: what was made lies in the workspace, and nowhere else. */
  readonly isLeftBehind: boolean
  /** The entry's own failure: the workspace could not be made. */
  readonly entryFailure: string | null
  readonly head: { readonly sha: string; readonly commits: number } | null
  /** Uncommitted work lies in a ref of its own. */
  readonly isKept: boolean
  /** Paths that the agent changed and did not commit. */
  readonly uncommitted: readonly string[]
  /** Somebody asked the start to end before the agent had. */
  readonly wasTerminated: boolean
  readonly refusal: RunFailure | null
  readonly result: RunResult | null
}

const limits = { commits: 500_000_000, kept: 200_000_000 } as const

const sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/)
const statusSchema = z.object({
  version: z.literal(1),
  head: sha,
  commits: z.number().int().min(0),
  kept: z.enum(['none', 'written', 'too_large', 'failed']),
  terminated: z.boolean().default(false),
  /** NUL-separated, see `git diff --name-status -z`. */
  uncommitted: z.base64().max(2_000_000).default(''),
})
const entrySchema = z.object({
  version: z.literal(1),
  step: z.string().max(100),
  code: z.number(),
  detail: z.base64().max(10_000),
})

export interface HarvestRequest {
  readonly context: RunContext
  readonly outputs: TakenOutputs
  readonly branch: string
  readonly baseSha: string
  /** The agent's last text, for when there is no `result.json`. */
  readonly lastText: string | null
  readonly signal: AbortSignal
}

export async function harvest(parts: RunParts, request: HarvestRequest): Promise<Harvest> {
  const { context, outputs } = request
  const status = parseWith(statusSchema, outputs.status)
  const entry = parseWith(entrySchema, outputs.entry)
  const entryFailure = entry === null || entry.step === 'collect' ? null : entryWords(parts, entry)
  const isCut = status === null && entry?.step === 'collect' && isNoSpace(entry)
  // The container met it; what is done next waits until it has passed.
  if (isCut) parts.storage.met(diskFull('the work could not be collected'))
  const isLeftBehind = status === null && entry?.step === 'collect' && !isCut
  const none = {
    // To try again would not help, but for a disk that was full: the same workspace fails in the same way.
    isCollected: status !== null || entryFailure !== null || isLeftBehind,
    isLeftBehind,
    entryFailure,
    head: null,
    isKept: false,
    uncommitted: status === null ? [] : pathsOf(status.uncommitted),
    wasTerminated: status?.terminated ?? false,
    result: null,
  }
  if (isLeftBehind) return { ...none, ...leftBehind(request) }
  if (status === null) return { ...none, refusal: null }

  const repository = await parts.git.openMailboxRepository(context.repositoryPath)
  if (!repository.ok) return { ...none, refusal: failure('workspace_failed', repository.error.message) }
  const said = readResult(request)
  const head = isUndone(status, said, request)
    ? ({ type: 'refused', message: undoneWords } as const)
    : await acceptCommits(repository.value, status.commits, request)
  const isKept = await keepWork(parts, repository.value, request)
  return {
    ...none,
    ...said,
    head: head.type === 'accepted' ? head : null,
    isKept,
    refusal: head.type === 'refused' ? failure('bundle_refused', head.message) : said.refusal,
  }
}

export const leftBehindWords = 'The work could not be collected; it lies in the workspace.'

/** What the agent says still counts; only work that was said to be done and cannot be had is refused. */
function leftBehind(request: HarvestRequest): Pick<Harvest, 'result' | 'refusal'> {
  const said = readResult(request)
  const isMissed = !request.context.isReadOnly && said.result?.outcome === 'done'
  return isMissed ? { ...said, refusal: failure('bundle_refused', leftBehindWords) } : said
}

function readResult({ context, outputs, lastText }: HarvestRequest): Pick<Harvest, 'result' | 'refusal'> {
  const { run, mailbox } = context
  // Nobody asked a talk for one; what lies there was written because of an earlier phase.
  if (isTalk(run.phase)) return { result: null, refusal: null }
  const result = parseResult({ file: outputs.result, lastText, phase: run.phase, iid: mailbox.iid })
  const refused = outputs.refused.find(({ name }) => name === 'result.json')
  const refusal = refused
    ? failure('result_refused', `result.json was not accepted: ${refused.message}.`)
    : result.ok
      ? null
      : failure('result_refused', result.error.message)
  return { result: result.ok ? result.value : null, refusal }
}

/**
 * The branch ends before the commit that the run began with, and there is nothing new on it. A phase that has not come
 * to its end may leave it so, as when its workspace is older than what came from the forge since.
 */
const isUndone = (
  { head, commits }: z.infer<typeof statusSchema>,
  { result }: Pick<Harvest, 'result'>,
  { context, baseSha }: HarvestRequest,
): boolean =>
  commits === 0 &&
  head !== baseSha &&
  !context.isReadOnly &&
  (isTalk(context.run.phase) || result?.outcome === 'done')

const undoneWords = "the issue's branch does not go on from the commit that the run began with"

type Acceptance =
  | { readonly type: 'accepted'; readonly sha: string; readonly commits: number }
  | { readonly type: 'nothing' }
  | { readonly type: 'refused'; readonly message: string }

async function acceptCommits(
  repository: MailboxRepository,
  commits: number,
  request: HarvestRequest,
): Promise<Acceptance> {
  const { context, outputs, branch, baseSha, signal } = request
  // A read-only phase leaves nothing behind, whatever its agent committed.
  if (context.isReadOnly) return { type: 'nothing' }
  const refused = outputs.refused.find(({ name }) => name === 'commits.bundle')
  if (refused) return { type: 'refused', message: refused.message }
  if (outputs.commitsBundle === null) {
    return commits > 0
      ? { type: 'refused', message: `there are ${commits} commits and no bundle of them` }
      : { type: 'nothing' }
  }
  const accepted = await repository.acceptBundle({
    bundlePath: outputs.commitsBundle,
    branch,
    baseSha,
    runUid: context.run.uid,
    maxBytes: limits.commits,
    signal,
  })
  return accepted.ok
    ? { type: 'accepted', sha: accepted.value.headSha, commits: accepted.value.commits }
    : { type: 'refused', message: accepted.error.message }
}

/** Uncommitted work is a courtesy: when it cannot be kept, the run is not the worse for it, and the log says so. */
async function keepWork(
  parts: RunParts,
  repository: MailboxRepository,
  { context, outputs, baseSha, signal }: HarvestRequest,
): Promise<boolean> {
  if (outputs.keptBundle === null) return false
  const kept = await repository.keepBundle({
    bundlePath: outputs.keptBundle,
    baseSha,
    runUid: context.run.uid,
    maxBytes: limits.kept,
    signal,
  })
  if (!kept.ok)
    parts.logger.warn(`uncommitted work was not kept: ${kept.error.message}`, { run: context.run.id })
  return kept.ok
}

/** Names of files may hold any byte: what no text can hold is shown as such. */
function pathsOf(list: string): readonly string[] {
  const words = Buffer.from(list, 'base64').toString('utf8').split('\0')
  // A status and a path, one after the other; a list that was cut may end with half of one.
  return words.filter((_, index) => index % 2 === 1 && index < words.length - 1)
}

function parseWith<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const isNoSpace = ({ detail }: z.infer<typeof entrySchema>): boolean =>
  /no space left on device|disk quota exceeded/i.test(Buffer.from(detail, 'base64').toString('utf8'))

function entryWords(parts: RunParts, entry: z.infer<typeof entrySchema>): string {
  const detail = parts.redact(Buffer.from(entry.detail, 'base64').toString('utf8')).trim()
  const what =
    {
      temporary: 'No temporary folder could be made for the start',
      workspace: 'The workspace could not be prepared',
      git_missing: 'The image has no git',
      prompt: 'The prompt could not be read',
      home: 'The home of the agent could not be prepared',
    }[entry.step] ?? `The start failed at ${entry.step}`
  return detail === '' ? `${what} (${entry.code}).` : `${what}: ${detail}`
}
