import { useState } from 'react'
import type { RestoreReport } from '@shared/contract/restore'
import { restoreWords } from '@shared/restore-words'
import { Button } from '../../components/button'
import { bridge } from '../../lib/bridge'
import { NoticeCard } from './notice-card'

/** What a restore brought back and what is lost, before the engine starts on it. */
export function RestoredScreen({ report }: { readonly report: RestoreReport }) {
  const [isStarting, setStarting] = useState(false)
  const [{ title, restored, lost, facts }] = useState(() => restoreWords(report, Date.now()))
  const start = (): void => {
    setStarting(true)
    bridge().shell.startEngine()
  }
  return (
    <NoticeCard
      test="restored"
      icon="database"
      tone="ok"
      title={title}
      paragraphs={[restored, lost]}
      facts={facts}
      details={report}
    >
      <Button
        size="lg"
        variant="primary"
        label={isStarting ? 'Starting…' : 'Start Alfred'}
        isBusy={isStarting}
        onClick={start}
      />
    </NoticeCard>
  )
}
