import type { AdapterId, Phase, ResumeFailure, Runner } from '@shared/model/words'
import type { VersionRange } from '@main/core/agents/version-range'
import type { HandMade } from './hand-made-sessions'

export type { VersionRange } from '@main/core/agents/version-range'

/*
 * One implementation per agent CLI. All methods are pure; what the CLI prints is untrusted.
 */

/** How the CLI is asked to treat its session. Ids here come from the database and match `sessionIdPattern`. */
export type SessionRequest =
  | { readonly mode: 'none' }
  | { readonly mode: 'fresh'; readonly name: string; readonly chosenId: string | null }
  | { readonly mode: 'resume'; readonly name: string; readonly nativeId: string }

export interface StartRequest {
  readonly session: SessionRequest
  readonly phase: Phase
  readonly model: string | null
  readonly provider: string | null
  /** Address of the model's server; null: the provider's own. */
  readonly baseUrl: string | null
  /** Read-only phases may not be asked to change files. */
  readonly readOnly: boolean
  readonly runner: Runner
}

/** The session in a person's terminal; there is no prompt. Only in a container. */
export type AttachRequest = Pick<StartRequest, 'session' | 'model' | 'provider' | 'baseUrl' | 'readOnly'>

export interface StartCommand {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Files written per run into `/alfred/in/`, by name. */
  readonly files: Readonly<Record<string, string>>
}

/** What a line of the CLI's output means. Figures that a CLI does not tell are null. */
export type AgentEvent =
  | { readonly kind: 'session'; readonly nativeId: string }
  | { readonly kind: 'text'; readonly text: string }
  /** More of a text that is still being written. All of it comes as `text`, so this is shown and never kept. */
  | { readonly kind: 'partial'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly name: string
      readonly summary: string
      readonly input: string
      readonly callId: string | null
    }
  | {
      readonly kind: 'tool_result'
      readonly callId: string | null
      readonly failed: boolean
      readonly output: string
    }
  | {
      readonly kind: 'usage'
      readonly inputTokens: number | null
      readonly cachedTokens: number | null
      readonly outputTokens: number | null
      readonly costUsd: number | null
      readonly contextUsed: number | null
      readonly contextMax: number | null
      readonly turns: number | null
      /** Tokens and cost are sums over the whole session, earlier runs included; without it they are the run's own. */
      readonly isOfSession?: true
    }
  | { readonly kind: 'retry'; readonly message: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'error'; readonly message: string }
  | {
      readonly kind: 'result'
      readonly succeeded: boolean
      readonly text: string
      readonly deniedTools: readonly string[]
    }
  | { readonly kind: 'output'; readonly text: string }

/** Figures of one run; see the `usage` event. */
export type SessionFigures = Partial<
  Pick<
    Extract<AgentEvent, { kind: 'usage' }>,
    'inputTokens' | 'cachedTokens' | 'outputTokens' | 'contextUsed' | 'contextMax'
  >
>

/** Parses stdout line by line; keeps what it must between lines. Never throws, whatever the line. */
export interface StreamParser {
  /** The line holds no control characters; the events hold none that it wrote as escapes either. */
  parse(line: string): readonly AgentEvent[]
}

/** What is known at the end of a start, for the classifiers. Tails are the last 16 kB. */
export interface EndedStart {
  readonly exitCode: number | null
  readonly stdoutTail: string
  readonly stderrTail: string
  readonly sawSession: string | null
  readonly result: { readonly succeeded: boolean; readonly text: string } | null
}

/** What is known of a CLI's login without asking anybody. */
export type LoginState = 'found' | 'expired' | 'missing'

/** How a CLI is signed in. */
export interface AgentLogin {
  /**
   * Login files: their names in the adapter's credentials folder, and where the CLI looks for them. Only files: a folder
   * around the session state would turn the resume off.
   */
  readonly files: readonly { readonly name: string; readonly target: string }[]
  /** The provider that it is for, as AGENT_PROVIDER names it; with another one only the CLI knows its login. */
  readonly provider: string
  /** Environment variables that sign the CLI in, each by itself. */
  readonly environment: readonly string[]
  /** What the content of a login file says. `now` is epoch milliseconds. */
  read(content: string, now: number): LoginState
  /**
   * When what a login file holds ends (epoch ms), and a person must sign in again; null: the CLI renews it by itself, it
   * never ends, or the file does not say. Without it no file of this CLI says.
   */
  endsAt?(content: string): number | null
  /**
   * The CLI's own login, on a person's screen, with the folder that its files lie in for it to write. One that needs
   * nothing of this computer, neither a browser nor a port. Without it a person brings a file or a key.
   */
  readonly signIn?: Pick<StartCommand, 'argv' | 'environment'>
}

export interface AgentAdapter {
  readonly id: AdapterId
  readonly resumableSessions: boolean
  /** Of one that is not resumable: why, in a sentence for people. */
  readonly whyNotResumable?: string
  /** Container path below /home/agent that holds sessions only; null when not resumable. */
  readonly sessionStatePath: string | null
  /** Directories below /home/agent that the CLI writes beside the state (a tmpfs each). */
  readonly scratchPaths: readonly string[]
  readonly sessionIdPattern: RegExp
  /** Whether a fresh start takes an id that we choose. */
  readonly choosesId: boolean
  readonly resumeVersions: readonly VersionRange[]
  /** Older ones refuse the command line, so no run is started with them; without it none is known to. */
  readonly lowestVersion?: string | undefined
  readonly versionCommand: readonly string[]
  /** The version in `--version`'s output; null when it is not there. */
  parseVersion(output: string): string | null
  /** Every run that went well ends with a `result` event: without one it did not, whatever the exit code. */
  readonly tellsResult: boolean
  /** What AGENT_PROVIDER may say; null: the CLI takes any name, or none. */
  readonly providers: readonly string[] | null
  /** null: it needs no login. */
  readonly login: AgentLogin | null
  /** What it can do; without it every phase. One that cannot do all is only used where the settings name it. */
  readonly phases?: readonly Phase[]
  /** It has no model of its own: the settings must name one. */
  readonly needsModel?: true
  start(request: StartRequest): StartCommand
  /** The CLI's own screen on a session; null when it has none. */
  attach: ((request: AttachRequest) => StartCommand) | null
  createParser(): StreamParser
  /** Why a resume failed; null when the failure is ambiguous or none of the session's. */
  resumeFailure(ended: EndedStart): ResumeFailure | null
  /**
   * Of a resume that failed: nothing can be made of the whole state, so no session begins in it either. Without it a
   * session that cannot be opened keeps no other from beginning.
   */
  readonly isStateUnusable?: (ended: EndedStart) => boolean
  /** A provider error that may be repeated, or the account's limit; null otherwise. */
  providerFailure(ended: EndedStart): {
    readonly type: 'retryable' | 'account_limit' | 'login' | 'other'
    readonly message: string
    readonly retryAfterMs: number | null
    /** When the account may go on (epoch ms), where the provider tells a time and no wait. */
    readonly retryAt?: number
  } | null
  /**
   * File of one session below the state folder, for the preflight and for growth; null: only the whole folder is known.
   * A part may hold one `*`, which stands for anything: of several files the one whose name comes last is meant.
   */
  sessionFile(nativeId: string): string | null
  /** What a run used, from the lines that it added to the session's own file, where the stream does not tell it. */
  readonly figuresInState?: (lines: readonly string[]) => SessionFigures | null
  /**
   * Where the CLI tells sums over a session: with which of them a session goes on, from the lines of its own file. null: it
   * begins at nothing.
   */
  readonly sumsInState?: (lines: readonly string[]) => SessionFigures | null
  /** How sessions that a person made with the CLI are found, and copied under another id; without it they are not. */
  readonly handMade?: HandMade
}

export interface AgentAdapters {
  find(id: AdapterId): AgentAdapter | null
  all(): readonly AgentAdapter[]
}
