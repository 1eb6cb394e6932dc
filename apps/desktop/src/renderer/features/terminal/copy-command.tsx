import type { RunId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { announce } from '../../lib/announcer'
import { useActions } from '../../lib/keyboard/actions'
import { copyText } from '../../lib/shell'
import { narrowWindow, useMediaQuery } from '../../lib/use-media-query'

/** The command that shows the terminal in any terminal of this computer. */
export function CopyCommand({ runId }: { readonly runId: RunId }) {
  const isNarrow = useMediaQuery(narrowWindow)
  const copy = (): void => {
    copyText(`alfred attach ${runId}`)
    announce('clipboard', 'Command copied')
  }
  useActions({
    'copy-resume-command': {
      run: copy,
      label: `Copy the command that shows run ${runId} in a terminal`,
    },
  })
  return (
    <Button
      size="sm"
      icon="copy"
      label="Copy command"
      isIconOnly={isNarrow}
      test="copy-resume-command"
      onClick={copy}
    />
  )
}
