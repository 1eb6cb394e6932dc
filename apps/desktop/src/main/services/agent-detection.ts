import { ok, type Result } from '@shared/result'
import type { Runner } from '@shared/model/words'
import { installationCapability } from '../core/agents/installation-capability'
import type { AgentAdapter } from '../ports/agent-adapter'
import type { Clock } from '../ports/clock'
import type { CommandOutput, ContainerError, ContainerRuntime } from '../ports/container-runtime'
import type { Installation, InstallationStore } from '../ports/stores'

/*
 * Which agent CLIs are in an image or on the host, in which version, and what they may be used for.
 */

/** Where to look. `reference` is the image's name or digest; the host has neither. */
export interface DetectionPlace {
  readonly runner: Runner
  readonly runtime: Pick<ContainerRuntime, 'runOnce'>
  readonly reference: string
  /** '' for the host. */
  readonly digest: string
}

export interface AgentDetection {
  /** Asks the CLI for its version and stores what it says. A CLI that is not there is an installation without version. */
  detect(adapter: AgentAdapter, place: DetectionPlace): Promise<Result<Installation, ContainerError>>
  /** What was found in this image before, or found now. An image does not change; the host is asked each time. */
  known(adapter: AgentAdapter, place: DetectionPlace): Promise<Result<Installation, ContainerError>>
}

export interface AgentDetectionOptions {
  readonly installations: InstallationStore
  readonly clock: Clock
  /** Whether it is signed in, as far as can be told without asking its provider. */
  readonly loginOf: (adapter: AgentAdapter) => Promise<Installation['loginState']>
}

const versionTimeoutMs = 30_000
const missingExitCodes: ReadonlySet<number> = new Set([126, 127])

export function createAgentDetection({
  installations,
  clock,
  loginOf,
}: AgentDetectionOptions): AgentDetection {
  const detect: AgentDetection['detect'] = async (adapter, place) => {
    const ran = await place.runtime.runOnce(place.reference, adapter.versionCommand, versionTimeoutMs)
    // Nothing is known about an engine that does not answer, so nothing is stored.
    if (!ran.ok && ran.error.type !== 'command_missing') return ran
    const version = ran.ok ? versionOf(adapter, ran.value) : null
    const installation: Installation = {
      adapter: adapter.id,
      runner: place.runner,
      imageDigest: place.digest,
      version,
      ...installationCapability({ ...adapter, runner: place.runner, version }),
      loginState: version === null ? 'unknown' : await loginOf(adapter),
      detectedAt: clock.now(),
    }
    installations.put(installation)
    return ok(installation)
  }

  return {
    detect,
    known: async (adapter, place) => {
      const stored =
        place.runner === 'host' ? null : installations.find(adapter.id, place.runner, place.digest)
      if (stored === null) return detect(adapter, place)
      // Another version of Alfred may have verified other versions.
      const capability = installationCapability({
        ...adapter,
        runner: place.runner,
        version: stored.version,
      })
      if (capability.resumable === stored.resumable && capability.reason === stored.reason) return ok(stored)
      const updated = { ...stored, ...capability }
      installations.put(updated)
      return ok(updated)
    },
  }
}

function versionOf(adapter: AgentAdapter, { exitCode, stdout, stderr }: CommandOutput): string | null {
  if (missingExitCodes.has(exitCode)) return null
  return adapter.parseVersion(stdout) ?? adapter.parseVersion(stderr)
}
