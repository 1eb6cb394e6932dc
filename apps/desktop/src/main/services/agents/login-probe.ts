import { err, ok, type Result } from '@shared/result'
import type { RunUid } from '@shared/model/ids'
import type { SettingValues } from '@shared/model/settings'
import { errorLine, lastLine } from '../../core/run/last-words'
import { buildProbeSpec } from '../../core/sandbox/probe-spec'
import { sandboxLabels } from '../../core/sandbox/sandbox-spec'
import { sandboxUser, type AppUser, type SandboxUser } from '../../core/sandbox/sandbox-user'
import { neutraliseControls } from '../../core/stream/control-sequences'
import type { AgentAdapter, AgentEvent, EndedStart, StartCommand } from '../../ports/agent-adapter'
import type { Clock } from '../../ports/clock'
import type { ContainerError, ContainerRuntime, ContainerSpec } from '../../ports/container-runtime'
import type { DataRemover } from '../../ports/data-remover'
import type { Logger } from '../../ports/logger'
import type { SandboxFiles } from '../../ports/sandbox-files'
import type { Installation } from '../../ports/stores'
import type { RunFiles } from '../runs/run-files'
import type { AgentCredentials, CredentialScope } from './agent-credentials'

/*
 * Asks an agent's provider one short question through its CLI, with the login that its runs would get: the one way to
 * know that a login is good, and it costs tokens. So it is done when a person asks for it, never by itself.
 */

export interface ProbeAnswer {
  /** `answered`: the login is good; `refused`: the provider does not take it; `failed`: nobody knows. */
  readonly outcome: 'answered' | 'refused' | 'failed'
  /** What the provider or the CLI said where it did not go well. */
  readonly message: string | null
  readonly tookMs: number
  readonly costUsd: number | null
}

export interface LoginProbe {
  /** The error says that the engine of containers does not answer; all else is an answer. */
  ask(
    adapter: AgentAdapter,
    place: Pick<Installation, 'imageDigest'>,
  ): Promise<Result<ProbeAnswer, ContainerError>>
}

export interface LoginProbeParts {
  readonly runtime: Pick<ContainerRuntime, 'info' | 'start' | 'wait' | 'remove'>
  readonly clock: Clock
  readonly newUid: () => RunUid
  readonly appUser: AppUser
  readonly labels: Readonly<Record<string, string>>
  readonly sandboxFiles: SandboxFiles
  readonly credentials: Pick<AgentCredentials, 'forStart'>
  /** In a folder of their own, which `folder` names: these are no runs. */
  readonly files: Pick<RunFiles, 'inputOf' | 'writeInput' | 'openStart' | 'readLog'>
  readonly folder: string
  readonly remover: Pick<DataRemover, 'setAside' | 'sweep'>
  readonly settings: () => SettingValues
  readonly logger: Pick<Logger, 'warn'>
}

const prompt = 'Answer with the single word OK. Use no tool and change nothing.\n'
/** A CLI asks again for a while by itself where its provider is away. */
const patienceMs = 120_000
const tailBytes = 16_384
/** An answer of one word is short. */
const readBytes = 1_000_000
const start = { attempt: 1, start: 1 } as const

export function createLoginProbe(parts: LoginProbeParts): LoginProbe {
  const { runtime, clock, files, remover } = parts
  let asking = 0
  // what a crash has left of one
  remover.setAside(parts.folder)

  /** What one has left, once none is under way. */
  const cleanUp = async (): Promise<void> => {
    if (asking > 0) return
    remover.setAside(parts.folder)
    await remover.sweep()
  }

  const commandOf = (adapter: AgentAdapter, settings: SettingValues): StartCommand =>
    adapter.start({
      session: { mode: 'none' },
      phase: 'analysis',
      model: settings.AGENT_MODEL,
      provider: settings.AGENT_PROVIDER,
      baseUrl: settings.AGENT_BASE_URL,
      readOnly: true,
      runner: 'container',
    })

  const specOf = async (
    adapter: AgentAdapter,
    image: string,
    uid: RunUid,
    user: SandboxUser,
  ): Promise<Result<ContainerSpec, string>> => {
    const settings = parts.settings()
    const scope: CredentialScope = { settings, provider: settings.AGENT_PROVIDER, runner: 'container' }
    const command = commandOf(adapter, settings)
    await files.writeInput(uid, { ...command.files, prompt })
    const opened = await files.openStart(uid, start, user, { stdout: null, stderr: null })
    if (!opened.ok) return err(opened.error.message)
    await Promise.all([opened.value.stdout.close(), opened.value.stderr.close()])
    const credentials = await parts.credentials.forStart(adapter, scope, user)
    const spec = buildProbeSpec({
      name: `alfred-login-${uid}`,
      image,
      user,
      adapter,
      command: { ...command, environment: { ...command.environment, ...credentials.environment } },
      credentials: credentials.mounts,
      folders: { input: files.inputOf(uid), output: opened.value.output },
      files: await parts.sandboxFiles.fixedFiles(user),
      labels: {
        ...parts.labels,
        [sandboxLabels.purpose]: 'login',
        [sandboxLabels.adapter]: adapter.id,
      },
    })
    return spec.ok ? spec : err(spec.error.message)
  }

  /** The exit code; null when it had to be ended. */
  const runToEnd = async (spec: ContainerSpec): Promise<Result<number | null, ContainerError>> => {
    const started = await runtime.start(spec)
    if (!started.ok) return started
    try {
      const limit = AbortSignal.timeout(patienceMs)
      const ended = await runtime.wait(started.value.id, limit)
      if (!ended.ok) return limit.aborted ? ok(null) : ended
      return ok(ended.value.exitCode)
    } finally {
      const removed = await runtime.remove(started.value.id)
      // the next engine finds it by its labels
      if (!removed.ok) parts.logger.warn(`a login's container could not be removed: ${removed.error.message}`)
    }
  }

  const readTail = async (uid: RunUid, stream: 'stdout' | 'stderr'): Promise<string> => {
    const page = await files.readLog(uid, start, stream, 0, readBytes)
    return neutraliseLines(page?.text ?? '')
  }

  return {
    async ask(adapter, { imageDigest }) {
      const engine = await runtime.info()
      if (!engine.ok) return engine
      const begin = clock.monotonic()
      const uid = parts.newUid()
      const user = sandboxUser(parts.appUser, engine.value)
      const failed = (message: string): Result<ProbeAnswer, never> =>
        ok({ outcome: 'failed', message, tookMs: clock.monotonic() - begin, costUsd: null })
      asking += 1
      try {
        const spec = await specOf(adapter, imageDigest, uid, user)
        if (!spec.ok) return failed(spec.error)
        const exitCode = await runToEnd(spec.value)
        if (!exitCode.ok)
          return exitCode.error.type === 'unreachable' ? exitCode : failed(exitCode.error.message)
        const said = { stdout: await readTail(uid, 'stdout'), stderr: await readTail(uid, 'stderr') }
        return ok({ ...judge(adapter, exitCode.value, said), tookMs: clock.monotonic() - begin })
      } finally {
        asking -= 1
        await cleanUp()
      }
    },
  }
}

const neutraliseLines = (text: string): string => text.split('\n').map(neutraliseControls).join('\n')

/** What the end of the CLI means. Pure. */
export function judge(
  adapter: AgentAdapter,
  exitCode: number | null,
  said: { readonly stdout: string; readonly stderr: string },
): Omit<ProbeAnswer, 'tookMs'> {
  const parser = adapter.createParser()
  const events = said.stdout.split('\n').flatMap((line) => parser.parse(line))
  const costUsd = events.findLast((event) => event.kind === 'usage')?.costUsd ?? null
  if (exitCode === null) {
    return { outcome: 'failed', message: `No answer within ${patienceMs / 1000} seconds.`, costUsd }
  }
  const result = events.findLast((event) => event.kind === 'result') ?? null
  if (exitCode === 0 && (result === null ? !adapter.tellsResult : result.succeeded)) {
    return { outcome: 'answered', message: null, costUsd }
  }
  const ended = endedStart(exitCode, said, result)
  const failure = adapter.providerFailure(ended)
  return {
    outcome: failure?.type === 'login' ? 'refused' : 'failed',
    message:
      failure?.message ??
      (result === null ? null : lastLine(result.text)) ??
      errorLine(said.stderr) ??
      `The agent ended with exit code ${exitCode} and said nothing.`,
    costUsd,
  }
}

const endedStart = (
  exitCode: number,
  said: { readonly stdout: string; readonly stderr: string },
  result: Extract<AgentEvent, { kind: 'result' }> | null,
): EndedStart => ({
  exitCode,
  stdoutTail: said.stdout.slice(-tailBytes),
  stderrTail: said.stderr.slice(-tailBytes),
  sawSession: null,
  result,
})
