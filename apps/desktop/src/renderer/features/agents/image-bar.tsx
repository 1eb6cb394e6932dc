import { formatBytes } from '@shared/format'
import type { EngineStatus } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { agentsProblem } from './agents-problem'
import { BuildProgress } from './build-progress'
import { BuildWithCli } from './build-with-cli'

/** The image that Alfred builds: there, missing, or how far its build is. */
export function ImageBar() {
  const { data: status } = useQueryEntry('app.status', {})
  const build = useCommand('app.buildImage')
  const cancel = useCommand('app.cancelImageBuild')
  if (!status) return null
  const { image } = status
  const isBuilding = image.state === 'building' || build.isBusy
  const disabledReason = status.docker.state === 'reachable' ? null : 'Docker does not answer.'
  return (
    <div
      className="flex min-h-10 flex-none items-center gap-2 border-b border-line bg-bg px-4 py-1.5 text-12 text-ink-2"
      data-test="agent-image"
      data-state={isBuilding ? 'building' : image.state}
    >
      <Icon name="package" size={14} className="text-ink-3" />
      {isBuilding ? (
        <>
          <BuildProgress image={image} />
          <span className="grow" />
          <Button
            size="sm"
            label="Cancel"
            spokenLabel="Cancel building the image"
            onClick={() => void cancel.run({})}
          />
        </>
      ) : (
        <>
          <span className="cut" title={image.state === 'ready' ? readyWords(image) : undefined}>
            {image.state === 'ready' && readyWords(image)}
            {image.state === 'missing' &&
              'The agent image is not built yet; it is made before the first run.'}
            {image.state === 'unknown' &&
              (status.docker.state === 'reachable'
                ? 'Whether the agent image is there is looked up before the first run, and by Check all.'
                : 'Whether the agent image is there is not known: Docker does not answer.')}
          </span>
          {build.error && <span className="cut text-bad">{agentsProblem(build.error)}</span>}
          <span className="grow" />
          <BuildWithCli disabledReason={disabledReason} onChosen={() => void build.run({})} />
          <Button
            size="sm"
            icon="package"
            label={image.state === 'ready' ? 'Build again' : 'Build the image'}
            test="build-image"
            disabledReason={disabledReason}
            onClick={() => void build.run({})}
          />
        </>
      )}
    </div>
  )
}

const readyWords = ({ tag, sizeBytes, agents }: EngineStatus['image']): string =>
  `The agent image ${tag ?? ''} is ready: ${formatBytes(sizeBytes)}, with ${agents.join(', ')}.`
