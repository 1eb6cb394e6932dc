import { imageCliSchema, type ImageCli } from '@shared/model/words'
import { Button } from '../../components/button'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'

export interface BuildWithCliProps {
  readonly disabledReason: string | null
  /** The CLI is in the setting now. */
  readonly onChosen: () => void
}

const app = { scope: 'app', scopeId: 0 } as const

/** A button for each agent CLI that Alfred can install and that nobody chose yet. */
export function BuildWithCli({ disabledReason, onChosen }: BuildWithCliProps) {
  const { data: settings } = useQueryEntry('settings.list', app)
  const set = useCommand('settings.set')
  if (!settings) return null
  const chosen = chosenClis(settings.find(({ key }) => key === 'AGENT_IMAGE_CLIS')?.value)
  const build = (cli: ImageCli): void => {
    void set
      .run({ ...app, key: 'AGENT_IMAGE_CLIS', value: [...chosen, cli] })
      .then((result) => result.ok && onChosen())
  }
  return imageCliSchema.options
    .filter((cli) => !chosen.includes(cli))
    .map((cli) => (
      <Button
        key={cli}
        size="sm"
        icon="package"
        label={`Build image with ${cli}`}
        test="build-image-with"
        data-value={cli}
        isBusy={set.isBusy}
        disabledReason={disabledReason}
        onClick={() => build(cli)}
      />
    ))
}

const chosenClis = (value: unknown): readonly ImageCli[] =>
  imageCliSchema.options.filter((cli) => Array.isArray(value) && value.includes(cli))
