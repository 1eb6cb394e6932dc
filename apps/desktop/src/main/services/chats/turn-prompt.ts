import { assertPresent } from '@shared/assert'
import { transcriptEventSchema } from '@shared/contract/runs'
import type { ChatMessage, ChatThread } from '@shared/model/records'
import { err, ok, type Result } from '@shared/result'
import { containerPaths } from '../../core/sandbox/container-paths'
import { buildChatPrompt, type ReplayedWords } from '../../core/prompt/chat-prompt'
import type { SessionPlan } from '../../core/session/resolve-session'
import type { Store, StoredEvent } from '../../ports/stores'
import { attachmentWords } from './attachments'
import type { RunContext } from '../runs/run-context'
import type { RunParts } from '../runs/run-parts'

/*
 * What a turn of a chat tells its agent: the person's message alone where it remembers, else what is known of the issue
 * before it, and where there is no memory at all, what was said so far.
 */

type Parts = Pick<RunParts, 'store' | 'git' | 'prompts' | 'files'>

const maxDiffBytes = 60_000
/** Of a model that says nothing of its context. */
const usualContextTokens = 100_000
/** No model takes more, whatever is told of its context: that comes from the sandbox. */
const mostContextTokens = 2_000_000
/** Two thirds of the context, at three characters a token: the rest is for the work. */
const charactersPerToken = 2
/** The newest of them tells how large the context is. */
const messagesLookedAt = 20
const messagesReplayed = 500
const eventsReplayed = 1_000

/** Fails for a turn whose message is lost, as in a database that was put together anew. */
export async function turnPrompt(
  parts: Parts,
  context: RunContext,
  plan: SessionPlan,
  baseSha: string,
): Promise<Result<string, string>> {
  const message = parts.store.chats.findMessage(context.run.id, 'person')
  if (message === null) return err('The message of this turn is lost. Send it again.')
  const text = messageOf(parts, context, message)
  if (plan.mode === 'resume') return ok(text)
  const thread = assertPresent(parts.store.chats.findThread(message.threadId), 'a message has its thread')
  const isReplay = plan.mode === 'none' || anchorOf(parts.store, thread).nativeSessionId === null
  return ok(await withKnown(parts, context, text, baseSha, isReplay ? thread : null))
}

/** Of the fresh start after a resume that failed. */
export async function freshTurnPrompt(parts: Parts, context: RunContext): Promise<string> {
  const message = assertPresent(
    parts.store.chats.findMessage(context.run.id, 'person'),
    'it was to be resumed',
  )
  return withKnown(parts, context, messageOf(parts, context, message), context.run.baseSha ?? '', null)
}

/** As it was written, and where the files lie that go along with it. */
function messageOf({ store, files }: Parts, { run }: RunContext, { text, threadId }: ChatMessage): string {
  const attached = store.chats.listAttachments(threadId).filter(({ runId }) => runId === run.id)
  const folder = run.runner === 'host' ? files.inputOf(run.uid) : containerPaths.input
  return text + attachmentWords(attached, folder)
}

async function withKnown(
  parts: Parts,
  context: RunContext,
  message: string,
  baseSha: string,
  replayed: ChatThread | null,
): Promise<string> {
  const { store } = parts
  const { mailbox, organization, project } = context
  const plan = store.plans.find(mailbox.id)
  const read = await parts.prompts.readIssue(context.run)
  return buildChatPrompt(
    {
      iid: mailbox.iid,
      projectPath: `${organization.slug}/${project.slug}`,
      title: mailbox.title,
      branchName: mailbox.branchName ?? '',
      baseBranch: mailbox.baseBranch ?? project.defaultBranch,
      issue: read.ok ? read.value : null,
      functionalAnalysis: plan?.functionalAnalysis ?? null,
      plan: plan?.plan ?? null,
      diff: await diffSoFar(parts, context, baseSha),
      replay: replayed === null ? null : replayOf(store, replayed, context),
      message,
    },
    replayed === null ? 0 : mostCharacters(store, replayed),
  )
}

async function diffSoFar(
  { git }: Parts,
  { repositoryPath, mailbox, project }: RunContext,
  headSha: string,
): Promise<string | null> {
  const repository = await git.openMailboxRepository(repositoryPath)
  if (!repository.ok) return null
  const base = await repository.value.remoteBranch(mailbox.baseBranch ?? project.defaultBranch)
  if (!base.ok || base.value === null) return null
  const parted = await repository.value.mergeBase(base.value, headSha)
  if (!parted.ok || parted.value === null || parted.value === headSha) return null
  const diff = await repository.value.diff(parted.value, headSha, maxDiffBytes)
  return diff.ok && diff.value.patch !== '' ? diff.value.patch : null
}

const anchorOf = (store: Store, thread: ChatThread) => store.sessions.get(thread.anchorSessionId)

/** As much as the model takes, as far as a turn of the chat or the run before it told. */
function mostCharacters(store: Store, thread: ChatThread): number {
  const ofTurns = store.chats
    .listMessages(thread.id, messagesLookedAt)
    .flatMap(({ runId }) => store.sessions.listByRun(runId))
  const told = [anchorOf(store, thread), ...ofTurns].findLast(({ contextMax }) => contextMax !== null)
  return Math.min(told?.contextMax ?? usualContextTokens, mostContextTokens) * charactersPerToken
}

/** The run with which the chat began, then what was said in it; oldest first. */
function replayOf(store: Store, thread: ChatThread, { run }: RunContext): readonly ReplayedWords[] {
  const begun = thread.isFresh
    ? []
    : store.events
        .listBefore(anchorOf(store, thread).runId, Number.MAX_SAFE_INTEGER, eventsReplayed)
        .flatMap(wordsOf)
        .filter(isNotSaidAgain)
  const said = store.chats
    .listMessages(thread.id, messagesReplayed)
    // What came back was never said, and may be what is said now.
    .filter(({ runId, state }) => runId !== run.id && state !== 'draft')
    .map(({ role, text }) => ({ by: role, text }))
  return [...begun, ...said]
}

function wordsOf({ seq, at, kind, payload }: StoredEvent): readonly ReplayedWords[] {
  const parsed = transcriptEventSchema.safeParse({ seq, at, kind, payload })
  if (!parsed.success) return []
  const { text = '', name = 'tool', summary = '' } = parsed.data.payload
  if (kind === 'tool') return [{ by: 'tool', text: `${name} ${summary}`.trim() }]
  const isSaid = kind === 'text' || (kind === 'result' && parsed.data.payload.succeeded === true)
  return isSaid && text.trim() !== '' ? [{ by: 'agent', text }] : []
}

/** Many CLIs close with what they said last. */
const isNotSaidAgain = (words: ReplayedWords, index: number, all: readonly ReplayedWords[]): boolean =>
  words.by === 'tool' || words.text.trim() !== all[index - 1]?.text.trim()
