import { randomUUID } from 'node:crypto'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import type { AgentAdapter } from '@main/ports/agent-adapter'
import type { ResumeFailure } from '@shared/model/words'
import { readSamples } from '../../contract/recorded-samples'

/*
 * Every agent CLI as a recording: its real adapter, and what its real binary printed (test/fixtures/<adapter>). The
 * binaries themselves are held to the same rules in test/clis and in the tests that are named after them.
 */

/** What a start of a CLI prints, and how it ends. */
export interface Recording {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** The session's id in it, for which the one of the run is put; null: it names none. */
  readonly id: string | null
}

export interface ReplayedCli {
  readonly create: () => AgentAdapter
  /** What `--version` prints: a version inside the verified range. */
  readonly version: string
  /** The id that a command line asks for; null: it begins a session. */
  askedId(argv: readonly string[]): string | null
  /** An id as the CLI makes one. */
  newId(): string
  /** The file that a session lies in, below the state folder. */
  stateFile(id: string): string
  readonly fresh: Recording
  readonly resumed: Recording
  readonly fallbacks: Readonly<Record<ResumeFailure, Recording>>
  /** A failed resume that says nothing about its session. */
  readonly ambiguous: Recording
  /** A fresh start that fails at the model's server, after its id was told. */
  readonly failed: Recording
  /** One of its providers that is not its own. */
  readonly otherProvider: string
}

const said = (stderr: string, exitCode = 1): Recording => ({
  stdout: '',
  stderr: `${stderr}\n`,
  exitCode,
  id: null,
})

/** Of a name: the sample of that name, which may have been killed while it tried again. */
function recordings(folder: string, create: () => AgentAdapter): (name: string) => Recording {
  const samples = readSamples(folder, create)
  return (name) => {
    const { ended } = samples.play(name)
    return {
      stdout: samples.text(name),
      stderr: ended.stderrTail,
      exitCode: samples.exitCode(name) ?? 1,
      id: samples.asked(name) ?? ended.sawSession,
    }
  }
}

const flagged =
  (flag: string) =>
  (argv: readonly string[]): string | null => {
    const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
    if (at < 0) return null
    return argv[at] === flag ? (argv[at + 1] ?? null) : (argv[at]?.slice(flag.length + 1) ?? null)
  }

function claudeCode(): ReplayedCli {
  const create = () => createClaudeCodeAdapter()
  const of = recordings('claude-code', create)
  return {
    create,
    version: '2.1.332 (Claude Code)',
    askedId: flagged('--resume'),
    newId: () => randomUUID(),
    stateFile: (id) => `-workspace/${id}.jsonl`,
    fresh: of('fresh'),
    resumed: of('resume'),
    fallbacks: {
      state_missing: of('resume-missing-transcript'),
      refused: of('resume-toolong'),
      // No version in the range lacks the option, so nobody has recorded it; the others' words for it are known.
      unsupported_version: said("error: unknown option '--resume'"),
    },
    ambiguous: of('root-skip-permissions'),
    failed: of('api-error-404'),
    otherProvider: 'bedrock',
  }
}

function codex(): ReplayedCli {
  const create = () => createCodexAdapter()
  const of = recordings('codex', create)
  return {
    create,
    version: 'codex-cli 0.171.0',
    askedId: flagged('resume'),
    newId: () => `01a2${randomUUID().slice(4, 14)}7${randomUUID().slice(15)}`,
    stateFile: (id) => `2026/11/30/rollout-2026-11-30T08-00-00-${id}.jsonl`,
    fresh: of('fresh'),
    resumed: of('resume'),
    fallbacks: {
      state_missing: of('resume-missing-rollout'),
      refused: of('resume-archived'),
      unsupported_version: {
        ...said("error: unexpected argument '01a227a5-df37-76c2-a883-a8c71c10dd0b' found", 2),
        id: '01a227a5-df37-76c2-a883-a8c71c10dd0b',
      },
    },
    ambiguous: of('concurrent-resume-A'),
    failed: of('api-error-404'),
    otherProvider: 'openai',
  }
}

function opencode(): ReplayedCli {
  const create = () => createOpencodeAdapter()
  const of = recordings('opencode', create)
  return {
    create,
    version: '1.18.33',
    askedId: flagged('--session'),
    newId: () => `ses_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
    stateFile: () => 'opencode.db',
    fresh: of('fresh-json'),
    resumed: of('resume-by-id'),
    fallbacks: {
      state_missing: of('missing-state'),
      refused: of('context-overflow'),
      unsupported_version: of('downgrade-to-1.15.0'),
    },
    ambiguous: of('readonly-data'),
    failed: of('err-badmodel'),
    otherProvider: 'custom',
  }
}

function copilot(): ReplayedCli {
  const create = () => createCopilotAdapter()
  const of = recordings('copilot', create)
  return {
    create,
    version: 'GitHub Copilot CLI 1.0.102.',
    askedId: flagged('--resume'),
    newId: () => randomUUID(),
    stateFile: (id) => `${id}/events.jsonl`,
    fresh: of('fresh-json'),
    resumed: of('resume-by-id'),
    fallbacks: {
      state_missing: of('missing-state'),
      refused: of('err-ctx'),
      unsupported_version: said("error: unknown option '--resume'"),
    },
    ambiguous: of('readonly-session-state'),
    failed: of('err-badmodel'),
    otherProvider: 'openai',
  }
}

function grokBuild(): ReplayedCli {
  const create = () => createGrokBuildAdapter()
  const of = recordings('grok-build', create)
  return {
    create,
    version: 'grok 1.0.41 (4220f3b224a6)',
    askedId: flagged('--resume'),
    newId: () => randomUUID(),
    stateFile: (id) => `%2Fworkspace/${id}/chat_history.jsonl`,
    fresh: of('fresh'),
    resumed: of('resume'),
    fallbacks: {
      state_missing: of('missing-state'),
      refused: of('err-context'),
      unsupported_version: said("error: unexpected argument '--resume' found", 2),
    },
    ambiguous: of('session-id-exists'),
    failed: of('err-404'),
    otherProvider: 'openai',
  }
}

const jsonLines = (...lines: readonly Readonly<Record<string, unknown>>[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** The demo agent and the scripted one print the same lines. */
function linesOf(
  id: string,
): Pick<ReplayedCli, 'askedId' | 'newId' | 'stateFile' | 'fresh' | 'resumed' | 'failed'> {
  const works: Recording = {
    stdout: jsonLines(
      { type: 'init', session_id: id },
      { type: 'text', text: 'hello' },
      { type: 'result', is_error: false, text: 'The plan.' },
    ),
    stderr: '',
    exitCode: 0,
    id,
  }
  return {
    askedId: flagged('--resume'),
    newId: () => randomUUID(),
    stateFile: (sessionId) => `${sessionId}.jsonl`,
    fresh: works,
    resumed: works,
    failed: {
      stdout: jsonLines(
        { type: 'init', session_id: id },
        { type: 'result', is_error: true, text: 'no such model' },
      ),
      stderr: '',
      exitCode: 1,
      id,
    },
  }
}

function demo(): ReplayedCli {
  return {
    ...linesOf('11111111-1111-4111-8111-111111111111'),
    create: () => createDemoAdapter(),
    version: 'alfred-demo-agent 1.0.0',
    fallbacks: {
      state_missing: said('no session found', 4),
      refused: said('the session is archived', 6),
      unsupported_version: said('written by a newer version', 5),
    },
    ambiguous: said('something went wrong', 3),
    otherProvider: 'another',
  }
}

function fake(): ReplayedCli {
  return {
    ...linesOf('22222222-2222-4222-8222-222222222222'),
    create: () => createFakeAdapter(),
    version: 'fake-agent 1.0.0',
    fallbacks: {
      state_missing: said('FAKE state_missing'),
      refused: said('FAKE refused'),
      unsupported_version: said('FAKE unsupported_version'),
    },
    ambiguous: said('something went wrong', 3),
    otherProvider: 'another',
  }
}

/** The api mode: it prints the same lines, and no session's id. */
function api(): ReplayedCli {
  const lines = linesOf('none')
  const plain = ({ stdout, ...recording }: Recording): Recording => ({
    ...recording,
    stdout: stdout.slice(stdout.indexOf('\n') + 1),
    id: null,
  })
  return {
    ...lines,
    create: () => createApiAdapter({ program: { 'alfred-api-agent.mjs': 'the program' } }),
    version: 'alfred-api-agent 1.0.0',
    askedId: () => null,
    fresh: plain(lines.fresh),
    resumed: plain(lines.resumed),
    failed: plain(lines.failed),
    // Nothing is ever resumed.
    fallbacks: { state_missing: said(''), refused: said(''), unsupported_version: said('') },
    ambiguous: said('something went wrong', 3),
    otherProvider: 'openai',
  }
}

const makers = {
  'claude-code': claudeCode,
  codex,
  opencode,
  copilot,
  'grok-build': grokBuild,
  demo,
  fake,
  api,
} as const satisfies Readonly<Record<string, () => ReplayedCli>>

export type ReplayedName = keyof typeof makers
export const replayedNames = Object.keys(makers) as readonly ReplayedName[]
/** Those that can resume a session. */
export const resumableNames = replayedNames.filter((name) => name !== 'api')

const made = new Map<ReplayedName, ReplayedCli>()

/** Its recordings are read when it is asked for first. */
export function replayedCli(name: ReplayedName): ReplayedCli {
  const cli = made.get(name) ?? makers[name]()
  made.set(name, cli)
  return cli
}
