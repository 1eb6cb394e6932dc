import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { findNativeBinding } from '@main/adapters/db/native-binding'
import { createDisk } from '@main/adapters/disk/disk'
import { createSessionStates } from '@main/adapters/session-state/session-states'
import { failureInSight, proveByGrowth, proveResume, startProof } from '@main/core/session/prove-resume'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import { createTextTail } from '@main/core/stream/text-tail'
import type { AgentAdapter, AgentEvent, EndedStart, SessionRequest } from '@main/ports/agent-adapter'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import type { SessionStateLook } from '@main/ports/session-state'
import { makeRoomForSession } from '@main/services/runs/make-room'
import { tellsIdLast } from '@shared/model/tells-id-last'
import type { ModelServer } from '../fakes/model-server/model-server'
import { createTestMailbox, type TestMailbox } from '../integration/support/agent-container'
import type { CliUnderTest } from './clis-under-test'

/*
 * One start of a real CLI in the product's sandbox: its command, mounts and files come from the product, and what it
 * prints goes through the product's parser, proof and classifiers.
 */

export const sessionName = 'agent/issue-1-thing'

/** What one start came to. */
export interface CliStart {
  readonly events: readonly AgentEvent[]
  readonly ended: EndedStart
  /** The final event and the exit code both say so. */
  readonly hasSucceeded: boolean
  /** What the first id proves: `other` is another session than the one asked for, which a run would stop. */
  readonly proof: 'resumed' | 'fresh' | 'other' | 'none'
  /** Why the resume failed, by the classifier and a look at the state, or by the proof. */
  readonly resumeFailure: ReturnType<AgentAdapter['resumeFailure']>
  /** The same by what the CLI says alone. */
  readonly toldFailure: ReturnType<AgentAdapter['resumeFailure']>
  readonly providerFailure: ReturnType<AgentAdapter['providerFailure']>
  /** It did not end within its time, so it was stopped. */
  readonly wasStopped: boolean
  /** All that the engine of containers tells of its container, but what is in its environment. */
  readonly container: string
  /** Folder of what it printed and left behind. */
  readonly output: string
  /** Bytes of the session's own state, before and after; null where there is none. */
  readonly bytes: { readonly before: number | null; readonly after: number | null }
}

export interface CliStartOptions {
  readonly prompt: string
  /** Stopped after that; without it the check's own cap ends it. */
  readonly limitMs?: number
  /** The limit counts from then on; a busy computer begins slowly. */
  readonly limitFrom?: Promise<unknown>
  /** The command line is changed before the start, as no product would. */
  readonly changeArgv?: (argv: readonly string[]) => readonly string[]
  /** The setting AGENT_BASE_URL instead of the scripted model's; null: none. */
  readonly baseUrl?: string | null
  /** Called once the container runs; what it returns is waited for. */
  readonly whileRunning?: (containerId: string) => Promise<void>
}

export interface CliSandbox {
  readonly adapter: AgentAdapter
  readonly mailbox: TestMailbox
  start(session: SessionRequest, options: CliStartOptions): Promise<CliStart>
  look(nativeId: string): Promise<SessionStateLook>
  /** The state as the product's fresh start finds it after a resume that failed like this. */
  makeRoom(failed: CliStart): Promise<void>
  /** The state of another sandbox becomes this one's. */
  takeState(from: CliSandbox): Promise<void>
  /** What this computer wrote in the state belongs to whoever runs in the sandbox. */
  own(): void
  remove(): Promise<void>
}

export interface CliSandboxParts {
  readonly runtime: ContainerRuntime
  /** The product's agent image. */
  readonly image: string
  readonly cli: CliUnderTest
  /** Folder of the installed CLI on this computer. */
  readonly installed: string
  readonly model: ModelServer
}

const states = createSessionStates(createDisk(), {
  stagingFolder: join(tmpdir(), `alfred-copies-${process.pid}`),
  nativeBinding: findNativeBinding(process.env, undefined),
})
const programs = '/opt/alfred/clis'

export async function createCliSandbox(parts: CliSandboxParts): Promise<CliSandbox> {
  const { runtime, cli, model } = parts
  const adapter = cli.create()
  const mailbox = await createTestMailbox(runtime, parts.image)
  const look: CliSandbox['look'] = (nativeId) => states.look(mailbox.state, adapter.sessionFile(nativeId))

  const run = async (session: SessionRequest, options: CliStartOptions) => {
    const command = adapter.start({
      session,
      phase: 'development',
      model: cli.model ?? null,
      provider: cli.provider ?? null,
      baseUrl: options.baseUrl === undefined ? cli.baseUrl(model.url) : options.baseUrl,
      readOnly: false,
      runner: 'container',
    })
    const { spec, output } = await mailbox.specOf({
      argv: options.changeArgv?.(command.argv) ?? command.argv,
      environment: command.environment,
      files: command.files,
      prompt: options.prompt,
      adapter,
      tree: 'workspace',
      withState: true,
      limits: { memoryBytes: 3_000_000_000, cpus: 2, pids: 512 },
    })
    const login = options.baseUrl === null ? {} : { [cli.key.variable]: cli.key.value }
    const mount = { kind: 'bind', source: parts.installed, target: programs, readOnly: true } as const
    const started = await runtime.start({
      ...spec,
      environment: { ...spec.environment, ...login, PATH: `${programs}/bin:${imagePath}` },
      mounts: [...spec.mounts, { ...mount, purpose: 'the CLI under test' }],
    })
    if (!started.ok) throw new Error(started.error.message)
    const { id } = started.value
    const told = await new Docker().getContainer(id).inspect()
    const container = JSON.stringify({ ...told, Config: { ...told.Config, Env: [] } })
    let wasStopped = false
    let limit: NodeJS.Timeout | undefined
    let hasEnded = false
    const beginLimit = (): void => {
      if (hasEnded || options.limitMs === undefined) return
      limit = setTimeout(() => {
        wasStopped = true
        void runtime.stop(id, 3000)
      }, options.limitMs)
    }
    if (options.limitFrom === undefined) beginLimit()
    else void options.limitFrom.then(beginLimit)
    await options.whileRunning?.(id)
    const state = await runtime.wait(id, new AbortController().signal)
    hasEnded = true
    clearTimeout(limit)
    if (!state.ok) throw new Error(state.error.message)
    await runtime.remove(id)
    return { exitCode: state.value.exitCode, wasStopped, output, container }
  }

  return {
    adapter,
    mailbox,
    look,
    async start(session, options) {
      const asked = session.mode === 'resume' ? session.nativeId : null
      const before = asked === null ? null : (await look(asked)).bytes
      const { exitCode, wasStopped, output, container } = await run(session, options)
      const [stdout, stderr] = await Promise.all([
        readFile(join(output, 'stream.out'), 'utf8'),
        readFile(join(output, 'stream.err'), 'utf8'),
      ])
      const read = readStart(adapter, asked, { exitCode, stdout, stderr })
      const id = read.ended.sawSession ?? asked
      const seen = asked === null ? null : await look(asked)
      const after = id === null ? null : (await look(id)).bytes
      return {
        ...read,
        proof: read.proof === 'named' ? provenByGrowth(asked, id, before, after) : read.proof,
        resumeFailure: failureInSight(read.toldFailure, seen),
        wasStopped,
        container,
        output,
        bytes: { before, after },
      }
    },
    async makeRoom({ ended }) {
      const { state } = mailbox
      await makeRoomForSession(states, { adapter, statePath: state }, ended)
      if (existsSync(state)) return
      await mkdir(state, { mode: 0o700 })
      execFileSync('chown', ['--reference', mailbox.workspace, state])
    },
    async takeState(from) {
      for (const name of await readdir(from.mailbox.state))
        await cp(join(from.mailbox.state, name), join(mailbox.state, name), { recursive: true })
      own(mailbox)
    },
    own: () => own(mailbox),
    remove: () => mailbox.remove(),
  }
}

const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const provenByGrowth = (
  asked: string | null,
  seen: string | null,
  bytesBefore: number | null,
  bytesAfter: number | null,
): CliStart['proof'] =>
  proveByGrowth({ asked, seen, bytesBefore, bytesAfter }).resumed === true ? 'resumed' : 'none'

/** Copies belong to whom the folder belongs to. */
function own({ state }: TestMailbox): void {
  execFileSync('chown', ['-R', '--reference', state, state])
}

interface Printed {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

function readStart(
  adapter: AgentAdapter,
  asked: string | null,
  { exitCode, stdout, stderr }: Printed,
): Omit<CliStart, 'wasStopped' | 'container' | 'output' | 'bytes' | 'resumeFailure' | 'proof'> & {
  proof: CliStart['proof'] | 'named'
} {
  const parser = adapter.createParser()
  const [out, error] = [createTextTail(), createTextTail()]
  for (const line of stderr.split('\n')) error.add(neutraliseControls(line))
  const events = stdout.split('\n').flatMap((line) => {
    const text = neutraliseControls(line)
    out.add(text)
    return parser.parse(text)
  })
  let state = startProof({
    asked,
    isOwn: false,
    isOff: false,
    isByGrowth: tellsIdLast(adapter.id),
    pattern: adapter.sessionIdPattern,
  })
  let proof: CliStart['proof'] | 'named' = 'none'
  let stop: CliStart['resumeFailure'] = null
  for (const event of events) {
    if (event.kind !== 'session') continue
    const step = proveResume(state, event)
    state = step.state
    stop ??= step.stop
    if (step.proof !== null && proof === 'none') proof = step.proof === 'other_id' ? 'other' : step.proof
  }
  const result = events.findLast((event) => event.kind === 'result')
  const ended: EndedStart = {
    exitCode,
    stdoutTail: out.text(),
    stderrTail: error.text(),
    sawSession: state.seen,
    result: result?.kind === 'result' ? { succeeded: result.succeeded, text: result.text } : null,
  }
  const hasSucceeded = exitCode === 0 && (ended.result?.succeeded ?? !adapter.tellsResult)
  const failure = asked === null || hasSucceeded ? null : adapter.resumeFailure(ended)
  return {
    events,
    ended,
    hasSucceeded,
    proof,
    toldFailure: stop ?? failure,
    providerFailure: hasSucceeded ? null : adapter.providerFailure(ended),
  }
}
