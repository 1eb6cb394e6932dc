import { useEffect, useState } from 'react'
import type { LabelReport } from '@shared/contract/forges'
import { isComplete, labelSentences } from '@shared/forge-words'
import type { ForgeId } from '@shared/model/ids'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { useCommand } from '../../lib/use-command'
import { forgeProblem } from './forge-problem'

/** Whether a project has the labels that Alfred works with; what is missing is made on request. */
export function ProjectLabels({ forgeId, path }: { readonly forgeId: ForgeId; readonly path: string }) {
  const [report, setReport] = useState<LabelReport | null>(null)
  const { run: look, error, isBusy } = useCommand('forges.labels')
  const make = useCommand('forges.makeLabels')
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    let isLeft = false
    void look({ forgeId, path }).then((found) => {
      if (found.ok && !isLeft) setReport(found.value)
    })
    return () => {
      isLeft = true
    }
  }, [look, forgeId, path, attempt])

  const problem = make.error ?? error
  if (problem !== null)
    return (
      <div className="flex items-start gap-2">
        <Line
          icon="circle-x"
          tone="text-bad"
          text={`Its labels could not be ${make.error ? 'made' : 'read'}: ${forgeProblem(problem)}`}
        />
        <Button
          size="sm"
          label="Try again"
          spokenLabel={`Read the labels of ${path} again`}
          isBusy={isBusy}
          test="labels-again"
          onClick={() => {
            make.clearError()
            setAttempt(attempt + 1)
          }}
        />
      </div>
    )
  if (report === null)
    return <Line icon="circle-dashed" tone="text-ink-3" text={isBusy ? 'Reading labels…' : ''} />
  if (isComplete(report)) return <Line icon="check" tone="text-ok" text="All labels are there." />
  return (
    <div className="flex items-start gap-2" data-test="project-labels" data-state="incomplete">
      <ul className="grid min-w-0 grow gap-0.5">
        {labelSentences(report).map((sentence) => (
          <li key={sentence} className="flex items-start gap-1.5 text-12 leading-[17px] text-ink-2">
            <Icon name="warning" size={14} className="mt-[1.5px] flex-none text-warn" />
            {sentence}
          </li>
        ))}
      </ul>
      {report.missing.length > 0 && (
        <Button
          size="sm"
          icon="tag"
          label="Make them"
          spokenLabel={`Make the missing labels of ${path}`}
          isBusy={make.isBusy}
          test="make-labels"
          onClick={() => {
            void make.run({ forgeId, path }).then((made) => {
              if (made.ok) setReport(made.value.labels)
            })
          }}
        />
      )}
    </div>
  )
}

function Line({
  icon,
  tone,
  text,
}: {
  readonly icon: 'check' | 'circle-x' | 'circle-dashed'
  readonly tone: string
  readonly text: string
}) {
  return (
    <p
      className="flex items-start gap-1.5 text-12 leading-[17px] text-ink-2"
      data-test="project-labels"
      data-state={icon === 'check' ? 'complete' : 'unknown'}
    >
      <Icon name={icon} size={14} className={`mt-[1.5px] flex-none ${tone}`} />
      {text}
    </p>
  )
}
