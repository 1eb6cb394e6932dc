import type { Seam } from './act-watcher'

/*
 * The steps of docs/architecture.md, "One run, end to end", as places where an engine can die.
 */

export interface NamedSeam {
  /** Ends the sentence "killed …". */
  readonly words: string
  readonly seam: Seam
  /** A run is live then, which finds on its transcript that it goes on; null: it may have begun, or not yet. */
  readonly isLive: boolean | null
  readonly pace: number
}

type Place = Partial<Pick<Seam, 'nth'>> & { readonly pace?: number }

const analysis = 1
const development = 2

const step =
  (runs: number, isLive: boolean | null) =>
  (side: Seam['side'], act: string, words: string, { nth = 1, pace = 0 }: Place = {}): NamedSeam => ({
    words,
    seam: { side, act, runs, nth },
    isLive,
    pace,
  })

const takingUp = step(0, false)
const inAnalysis = step(analysis, true)
const afterAnalysis = step(analysis, false)
const beginning = step(development, null)
const living = step(development, true)
const afterwards = step(development, false)

/** Half a second for the whole of the agent's work, so that it prints while the engine looks. */
const slowly = 40

export const seams: readonly NamedSeam[] = [
  // 1 to 3: poll, decide, request
  takingUp('after', 'store.runs.add', 'when the issue has its mailbox, its posts and its first run'),
  // 12, beside the first run
  inAnalysis('after', 'store.outbox.update', 'when a post is about to be sent'),
  inAnalysis('before', 'forge.addComment', 'before the acknowledgement is posted'),
  inAnalysis('after', 'forge.addComment', 'when the acknowledgement is posted and nobody noted it'),
  inAnalysis('before', 'forge.setStatus', 'before the first status is set'),
  inAnalysis('after', 'forge.setStatus', 'when the first status is set and nobody noted it'),
  afterAnalysis('after', 'store.plans.put', 'when the plan is stored, and with it the next run'),
  // 4 and 5: schedule, prepare
  beginning('before', 'forge.editDescription', 'before the section is written'),
  beginning('after', 'forge.editDescription', 'when the section is written and nobody noted it'),
  living('after', 'store.locks.take', 'when the lock is taken'),
  living('before', 'repository.fetch', 'before the repository is fetched'),
  living('after', 'repository.fetch', 'when the repository is fetched'),
  living('after', 'files.writeInput', 'when the prompt is written'),
  // 6: start
  living('after', 'store.sessions.add', 'when the session has its row'),
  living('before', 'files.openStart', 'before the stream files are made'),
  living('after', 'files.openStart', 'when the stream files are made'),
  living('after', 'sandboxFiles.ensureFolder', 'when a folder of the sandbox is made', { nth: 2 }),
  living('after', 'store.locks.setContainer', 'when the lock names the container'),
  living('before', 'docker.start', 'before the container is made'),
  // 7 and 8: run, follow
  living('after', 'docker.start', 'when the container runs and nobody noted it'),
  living('after', 'store.runs.updateStart', 'when the container is noted', { nth: 2 }),
  living('after', 'store.events.append', 'at the first lines of the agent', { pace: slowly }),
  living('after', 'store.events.append', 'at a later line of the agent', { nth: 4, pace: slowly }),
  // 9 and 10: collect, take in
  living('before', 'files.takeOutputs', 'before what it made is copied', { pace: slowly }),
  living('after', 'files.takeOutputs', 'when what it made is copied'),
  living('before', 'repository.acceptBundle', 'before the commits are taken in'),
  living('after', 'repository.acceptBundle', 'when the commits are taken in'),
  living('before', 'repository.setOwnBranch', 'before the branch moves'),
  living('after', 'repository.setOwnBranch', 'when the branch has moved'),
  // 11: end; the end of the analysis falls into the time of the development
  afterwards('after', 'store.locks.release', 'when the run has ended'),
  afterwards('before', 'files.redactStreams', 'before the streams are redacted', { nth: 2 }),
  afterwards('after', 'files.redactStreams', 'when the streams are redacted', { nth: 2 }),
  afterwards('before', 'docker.remove', 'before the container is removed', { nth: 2 }),
  afterwards('after', 'docker.remove', 'when the container is removed', { nth: 2 }),
  afterwards('before', 'folders.writeRecord', 'before the record of the end is written', { nth: 3 }),
  afterwards('after', 'folders.writeRecord', 'when the record of the end is written', { nth: 3 }),
  afterwards('after', 'store.notifications.add', 'when the end is told', { nth: 2 }),
  // 12: post
  afterwards('before', 'repository.push', 'before the push'),
  afterwards('after', 'repository.push', 'when the push is done and nobody noted it'),
  afterwards('before', 'forge.openChange', 'before the change is opened'),
  afterwards('after', 'forge.openChange', 'when the change is open and nobody noted it'),
]

const committedAlong = [
  'audit.add',
  'chats.addAttachment',
  'chats.addMessage',
  'chats.addThread',
  'chats.copyAttachments',
  'chats.removeAttachment',
  'chats.sendAttachments',
  'chats.setDraft',
  'chats.setMessageState',
  'chats.setNotes',
  'chats.setTitle',
  'cursors.set',
  'forges.addForge',
  'forges.addOrganization',
  'forges.addProject',
  'images.put',
  'installations.put',
  'installations.putProof',
  'mailboxes.ensure',
  'mailboxes.tell',
  'mailboxes.update',
  'outbox.add',
  'runs.addAttempt',
  'runs.addStart',
  'runs.setSandbox',
  'runs.setStreamPosition',
  'runs.setUnsettled',
  'runs.update',
  'runs.updateAttempt',
  'sessions.clearSetAside',
  'sessions.noteUsed',
  'sessions.takeBack',
  'sessions.update',
  'settings.set',
].map((write) => `store.${write}`)

/**
 * Acts that have no seam of their own: what is committed together with one above, what a port does inside one above,
 * and what belongs to no run.
 */
export const quietActs: readonly string[] = [
  ...committedAlong,
  'docker.runOnce',
  'folders.copyOf',
  'folders.prepare',
  'folders.takeOutput',
  'folders.writeInput',
  'git.openMailboxRepository',
  'repository.deleteBranch',
  'store.events.appendPacked',
  'store.events.beginPack',
  'store.events.pack',
  'store.events.unpackSome',
  'store.forges.setDefaultBranch',
  'sandboxFiles.fixedFiles',
]
