import { z } from 'zod'
import { mailboxIdSchema, resumeChoiceSchema, runIdSchema } from '../model/ids'
import { adapterIdSchema, phaseSchema } from '../model/words'
import { loginStateSchema } from './app'
import { command, stream } from './define'

/** A terminal on the session of a run; it is a run of its own. */
export const openedTerminalSchema = z.object({
  /** The terminal's own run. */
  runId: runIdSchema,
  mailboxId: mailboxIdSchema,
  /** `organization/project#12`. */
  issue: z.string(),
  adapter: adapterIdSchema,
  /** It was open already, and goes on. */
  wasOpen: z.boolean(),
  sessionName: z.string().nullable(),
  /** null: it begins a session of its own. */
  nativeSessionId: z.string().nullable(),
  /** Of the session's state, as it was last seen. */
  stateBytes: z.number().nullable(),
  savedAt: z.number().nullable(),
  /** A newer memory of this agent is there: the next run goes on with this one instead. */
  isOlder: z.boolean(),
  /** It is stopped after this long, also when nobody looks at it. */
  limitMs: z.number(),
})
export type OpenedTerminal = z.infer<typeof openedTerminalSchema>

const terminalErrorSchema = z.discriminatedUnion('type', [
  /** Nothing is there to go on with, or this agent has no screen of its own. */
  z.object({ type: z.literal('not_continuable'), message: z.string() }),
  /** The session's state is gone or cannot be read: a fresh start is possible. */
  z.object({ type: z.literal('state_missing'), message: z.string() }),
  z.object({ type: z.literal('login_missing'), adapter: adapterIdSchema, message: z.string() }),
  z.object({ type: z.literal('memory_removed'), at: z.number() }),
  /** `since`: epoch ms from which that run has held the mailbox. */
  z.object({
    type: z.literal('already_running'),
    runId: runIdSchema,
    phase: phaseSchema,
    since: z.number(),
  }),
  z.object({ type: z.literal('no_agent'), message: z.string() }),
])
export type TerminalError = z.infer<typeof terminalErrorSchema>

const columns = z.number().int().min(1).max(1_000)
const rows = z.number().int().min(1).max(1_000)
const attachmentId = z.uuid()
/** What is typed or shown, as base64: terminals speak in bytes, and half a character may be among them. */
const bytes = z.base64().max(400_000)

export const terminalEventSchema = z.discriminatedUnion('type', [
  /** From now on this client has the terminal. */
  z.object({ type: z.literal('attached'), attachmentId }),
  /**
   * This client sees it and can do nothing to it: what it types or how large it is, is answered `not_attached`. Comes
   * again when another client has it or when it is sized; `who` null: nobody has it, `size` null: nobody had it yet.
   */
  z.object({
    type: z.literal('watching'),
    attachmentId,
    who: z.string().nullable(),
    size: z.object({ columns, rows }).nullable(),
  }),
  /** Somebody else has it. Nothing else comes. */
  z.object({ type: z.literal('held'), who: z.string(), since: z.number() }),
  z.object({ type: z.literal('shown'), bytes: z.base64() }),
  /** Somebody else took it over. Nothing else comes. */
  z.object({ type: z.literal('taken_over'), who: z.string() }),
  /** Its run has ended. Nothing else comes. */
  z.object({ type: z.literal('ended') }),
])
export type TerminalEvent = z.infer<typeof terminalEventSchema>

/** What a person sees who signs an agent in with its CLI's own login. Nothing comes after `failed` and `checked`. */
export const signInEventSchema = z.discriminatedUnion('type', [
  ...terminalEventSchema.options,
  /** It could not be opened, or what it ran in was lost. */
  z.object({ type: z.literal('failed'), message: z.string() }),
  /** It has ended, and the login was looked at again. `exitCode`: null where it was ended from outside. */
  z.object({
    type: z.literal('checked'),
    loginState: loginStateSchema,
    exitCode: z.number().nullable(),
  }),
])
export type SignInEvent = z.infer<typeof signInEventSchema>

/** Opened in a terminal program of this computer, or not: then the person can type it. */
const noTerminal = z.object({ type: z.literal('no_terminal'), message: z.string(), command: z.string() })

/** Only who attached last may type: anything else is answered `not_attached`. */
const notAttached = z.object({ type: z.literal('not_attached') })

/** The option of `alfred attach` in a window that is opened for it, and that closes with it. */
export const waitAtEnd = 'wait-at-end'

export const terminalsContract = {
  /** Checks everything and queues the terminal's run, or finds the one that is open. `takeOver`: stops what holds the issue. */
  open: command({
    input: z.object({ runId: runIdSchema, resumeChoice: resumeChoiceSchema, takeOver: z.boolean() }),
    output: openedTerminalSchema,
    error: terminalErrorSchema,
  }),
  /** Checks the same and opens a terminal program of this computer with `alfred attach` in it, which does the rest. */
  openProgram: command({
    input: z.object({ runId: runIdSchema }),
    output: z.object({ command: z.string() }),
    error: z.discriminatedUnion('type', [...terminalErrorSchema.options, noTerminal]),
  }),
  /**
   * Shows the terminal of this run to one client at a time, and beside it to those that only watch; unsubscribing lets
   * go of it, and it goes on.
   */
  attach: stream({
    key: z.object({
      runId: runIdSchema,
      /** How this client is named to another one. */
      who: z.string().min(1).max(100),
      columns,
      rows,
      takeOver: z.boolean(),
      /** Read-only, beside who has it; nothing is taken over. */
      watches: z.boolean(),
    }),
    event: terminalEventSchema,
  }),
  /** Shows the own login of this agent's CLI to one client at a time; it ends when the client leaves. */
  signIn: stream({
    key: z.object({ adapter: adapterIdSchema, who: z.string().min(1).max(100), columns, rows }),
    event: signInEventSchema,
  }),
  /** Checks that there is one and opens a terminal program of this computer with `alfred agents login` in it. */
  openSignInProgram: command({
    input: z.object({ adapter: adapterIdSchema }),
    output: z.object({ command: z.string() }),
    error: z.discriminatedUnion('type', [
      z.object({ type: z.literal('not_possible'), message: z.string() }),
      noTerminal,
    ]),
  }),
  /** `busy`: the agent does not read; nothing was typed. */
  type: command({
    input: z.object({ attachmentId, bytes }),
    output: z.null(),
    error: z.discriminatedUnion('type', [notAttached, z.object({ type: z.literal('busy') })]),
  }),
  resize: command({
    input: z.object({ attachmentId, columns, rows }),
    output: z.null(),
    error: notAttached,
  }),
  /** So many bytes of what was shown are on the screen: only so many wait on the way. */
  taken: command({
    input: z.object({ attachmentId, bytes: z.number().int().min(1) }),
    output: z.null(),
    error: notAttached,
  }),
} as const
