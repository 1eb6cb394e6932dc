import type { ContainerInspectInfo } from 'dockerode'
import type { ContainerState } from '@main/ports/container-runtime'

const killedExitCode = 137

export function toContainerState(info: ContainerInspectInfo): ContainerState {
  const { State: state } = info
  const startedAt = engineTime(state.StartedAt)
  // Some engines leave fields out.
  const running = Boolean(state.Running || state.Paused || state.Restarting)
  const hasEnded = !running && startedAt !== null
  return {
    id: info.Id,
    name: info.Name.replace(/^\//, ''),
    running,
    paused: Boolean(state.Paused),
    exitCode: hasEnded ? state.ExitCode : null,
    outOfMemory: hasEnded && Boolean(state.OOMKilled) && state.ExitCode === killedExitCode,
    memoryLimitHit: Boolean(state.OOMKilled),
    imageDigest: info.Image === '' ? null : info.Image,
    labels: info.Config.Labels ?? {},
    startedAt,
    endedAt: hasEnded ? engineTime(state.FinishedAt) : null,
  }
}

/** Go's zero time (year 1) means "never". */
function engineTime(text: string | undefined): number | null {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(at) && at > 0 ? at : null
}
