import { useState } from 'react'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { Button } from '../../components/button'
import { bridge } from '../../lib/bridge'
import { NoticeCard } from './notice-card'
import { failureCard } from './start-failure-words'

/** Instead of everything else, when `shell.startFailure` is not null: why there is no engine, and what to do. */
export function StartFailureScreen({ failure }: { readonly failure: StartFailure }) {
  const { canRestore, ...card } = failureCard(failure)
  const [isRestoring, setRestoring] = useState(false)
  const { shell } = bridge()
  const restore = (): void => {
    setRestoring(true)
    // The page is loaded anew with what came of it.
    shell.restore()
  }
  return (
    <NoticeCard {...card} paragraphs={[card.text]} details={failure}>
      <Button
        size="lg"
        variant={canRestore ? 'normal' : 'primary'}
        label="Quit"
        onClick={() => shell.quit()}
      />
      {canRestore && (
        <Button
          size="lg"
          variant="primary"
          label={isRestoring ? 'Restoring…' : 'Restore and read run folders'}
          isBusy={isRestoring}
          onClick={restore}
        />
      )}
    </NoticeCard>
  )
}
