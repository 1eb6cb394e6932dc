import type { EngineStatus } from '@shared/contract/app'
import { phaseSchema } from '@shared/model/words'
import { forgeTroubleWords } from '@shared/forge-words'
import { phaseWords } from '@shared/phase-words'
import { ok } from '@shared/result'
import type { Command } from '../command'
import { exitCodes } from '../failures'

export const watchCommand: Command = {
  name: 'watch',
  about:
    'Polls the forges and works on issues until Ctrl+C; live containers go on and are taken up again next time.',
  positionals: [],
  options: {},
  needs: 'works',
  async run({ client, output, signal }) {
    let last = ''
    const end = await client.follow('app', 'statusChanges', null, (status) => {
      const text = statusLine(status)
      if (text !== last) output.line(text)
      last = text
    })
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      else signal.addEventListener('abort', () => resolve(), { once: true })
    })
    end()
    return ok(exitCodes.done)
  },
}

export function statusLine(
  status: Pick<
    EngineStatus,
    'running' | 'queued' | 'needsYou' | 'isPaused' | 'docker' | 'runs' | 'forges' | 'banners'
  >,
): string {
  const runs = status.runs.map(
    ({ runId, reference, phase, state }) => `run ${runId} on ${reference} (${wordOf(phase)}, ${state})`,
  )
  const forges = status.forges.map(({ name, state }) =>
    state === 'ok' ? null : `${name} ${forgeTroubleWords[state]}`,
  )
  const projects = status.banners.map(({ code, facts }) =>
    code === 'forge_project' ? `${facts['project']} cannot be polled: ${facts['message']}` : null,
  )
  return [
    `${status.running} running, ${status.queued} queued, ${status.needsYou} ${status.needsYou === 1 ? 'needs' : 'need'} you${status.isPaused ? ', paused' : ''}`,
    status.docker.state === 'reachable' ? null : `Docker ${status.docker.state.replaceAll('_', ' ')}`,
    ...forges,
    ...projects,
    ...runs,
  ]
    .filter((part) => part !== null)
    .join('; ')
}

function wordOf(phase: string): string {
  const parsed = phaseSchema.safeParse(phase)
  return parsed.success ? phaseWords[parsed.data].toLowerCase() : phase
}
