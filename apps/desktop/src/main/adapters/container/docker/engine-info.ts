import type { EngineInfo } from '@main/ports/container-runtime'
import type { Endpoint } from './endpoint'

/** What an engine says of itself, as far as it matters here. */
export interface EngineFigures {
  readonly SecurityOptions?: readonly string[] | null
  readonly NCPU?: number
  readonly MemTotal?: number
  readonly Architecture?: string
  readonly OSType?: string
}

/** Which user of this computer an agent is decides by whether the engine is rootless or remaps users. */
export function toEngineInfo(
  endpoint: Endpoint,
  version: { readonly Version: string; readonly ApiVersion: string },
  figures: EngineFigures,
): EngineInfo {
  const security = figures.SecurityOptions ?? []
  return {
    endpoint: endpoint.url,
    source: endpoint.source,
    version: version.Version,
    apiVersion: version.ApiVersion,
    architecture: figures.Architecture ?? 'unknown',
    operatingSystem: figures.OSType ?? 'linux',
    rootless: security.some((option) => option.includes('name=rootless')),
    userRemapped: security.some((option) => option.includes('name=userns')),
    cpus: figures.NCPU ?? 1,
    memoryBytes: figures.MemTotal ?? 0,
  }
}
