import type { CommandError } from '../../lib/engine-client'
import { Button } from '../../components/button'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'

export interface ImageBuild {
  readonly isBuilding: boolean
  /** What is done now: "Building the agent image: installing git". */
  readonly words: string
  /** 0 to 1; null when it is not known. */
  readonly fraction: number | null
  /** Why the last build that was started here did not work. */
  readonly problem: string | null
  readonly start: () => void
  readonly cancel: () => void
}

/** The agent image as it is built, whoever started it. */
export function useImageBuild(): ImageBuild {
  const { data: status } = useQueryEntry('app.status', {})
  const build = useCommand('app.buildImage')
  const cancel = useCommand('app.cancelImageBuild')
  const image = status?.image
  const parts = [image?.step ?? 'Preparing', image?.detail].filter((part) => part != null && part !== '')
  return {
    isBuilding: build.isBusy || image?.state === 'building',
    words: `Building the agent image: ${parts.join(' · ')}`,
    fraction: image?.fraction ?? null,
    problem: build.error === null ? null : buildProblem(build.error),
    start: () => void build.run({}),
    cancel: () => void cancel.run({}),
  }
}

/** Why an image could not be built. */
export function buildProblem(error: CommandError<'app.buildImage'>): string {
  switch (error.type) {
    case 'build_failed':
      return `Step "${error.step}" failed: ${error.message}`
    case 'cancelled':
      return 'The build was cancelled.'
    case 'docker_unreachable':
    case 'owner_gone':
    case 'storage_failed':
    case 'invalid_input':
      return error.message
    case 'not_found':
      return `${error.what} is missing.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
  }
}

/** How far the build is, with the way out of it. */
export function ImageProgress({ build }: { readonly build: ImageBuild }) {
  return (
    <span className="flex items-center gap-2">
      <BuildBar fraction={build.fraction} className="w-24" />
      <Button size="sm" label="Cancel" spokenLabel="Cancel building the image" onClick={build.cancel} />
    </span>
  )
}

export function BuildBar({
  fraction,
  className,
}: {
  readonly fraction: number | null
  readonly className?: string
}) {
  const percent = fraction === null ? undefined : Math.round(fraction * 100)
  return (
    <span
      role="progressbar"
      aria-label="Building the agent image"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={`meter-track block ${className ?? ''}`}
      data-state={fraction === null ? 'unknown' : 'fine'}
    >
      <span className="meter-fill" style={{ width: `${percent ?? 0}%` }} />
    </span>
  )
}
