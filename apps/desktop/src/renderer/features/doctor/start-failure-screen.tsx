import { useState } from 'react'
import type { StartFailure } from '@shared/contract/shell-bridge'
import { Button } from '../../components/button'
import { bridge } from '../../lib/bridge'
import { NoticeCard } from './notice-card'
import { failureCard } from './start-failure-words'

/** Instead of everything else, when `shell.startFailure` is not null: why there is no engine, and what to do. */
export function StartFailureScreen({ failure }: { readonly failure: StartFailure }) {
  const { canRestore, canStart, hasBackup, ...card } = failureCard(failure)
  const [isRestoring, setRestoring] = useState(false)
  const [isStarting, setStarting] = useState(false)
  const { shell } = bridge()
  const restore = (): void => {
    setRestoring(true)
    // The page is loaded anew with what came of it.
    shell.restore()
  }
  const start = (): void => {
    setStarting(true)
    shell.startEngine()
  }
  return (
    <NoticeCard {...card} paragraphs={[card.text]} details={failure}>
      {hasBackup && <Button size="lg" label="Show the backup" onClick={() => shell.showBackup()} />}
      <Button
        size="lg"
        variant={canRestore || canStart ? 'normal' : 'primary'}
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
      {canStart && (
        <Button
          size="lg"
          variant="primary"
          label={isStarting ? 'Starting…' : 'Start again'}
          isBusy={isStarting}
          onClick={start}
        />
      )}
    </NoticeCard>
  )
}
