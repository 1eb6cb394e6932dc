import { imageCliSchema, type ImageCli } from '@shared/model/words'
import { Button } from '../../components/button'
import { Menu, MenuItem } from '../../components/menu'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'

export interface BuildWithCliProps {
  readonly disabledReason: string | null
  /** The CLI is in the setting now. */
  readonly onChosen: () => void
}

const app = { scope: 'app', scopeId: 0 } as const

/** A menu of the agent CLIs that Alfred can install; those that a person chose already are part of every image. */
export function BuildWithCli({ disabledReason, onChosen }: BuildWithCliProps) {
  const { data: settings } = useQueryEntry('settings.list', app)
  const set = useCommand('settings.set')
  if (!settings) return null
  const chosen = chosenClis(settings.find(({ key }) => key === 'AGENT_IMAGE_CLIS')?.value)
  if (chosen.length === imageCliSchema.options.length) return null
  const build = (cli: ImageCli): void => {
    void set
      .run({ ...app, key: 'AGENT_IMAGE_CLIS', value: [...chosen, cli] })
      .then((result) => result.ok && onChosen())
  }
  const button = (
    <Button
      size="sm"
      icon="package"
      label="Build image with…"
      test="build-image-with"
      isBusy={set.isBusy}
      disabledReason={disabledReason}
    />
  )
  if (disabledReason !== null) return button
  return (
    <Menu trigger={button}>
      {imageCliSchema.options.map((cli) => (
        <MenuItem
          key={cli}
          label={cli}
          disabledReason={chosen.includes(cli) ? 'chosen already' : null}
          onSelect={() => build(cli)}
        />
      ))}
    </Menu>
  )
}

const chosenClis = (value: unknown): readonly ImageCli[] =>
  imageCliSchema.options.filter((cli) => Array.isArray(value) && value.includes(cli))
