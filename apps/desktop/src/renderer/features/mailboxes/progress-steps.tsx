import { Fragment } from 'react'
import type { MailboxDetail } from '@shared/contract/mailboxes'
import { Icon, type IconName } from '../../components/icon'
import { stepStateWords, stepWords } from './strings'

type Step = MailboxDetail['progress'][number]

const ahead: Readonly<Record<Step['step'], IconName>> = {
  analysis: 'zoom-in',
  plan_validated: 'circle-check',
  development: 'pencil',
  ci: 'workflow',
  review: 'eye',
  merge: 'git-merge',
  answer: 'circle-help',
}

const iconOf = ({ step, state }: Step): IconName =>
  state === 'done' ? 'check' : state === 'failed' ? 'circle-x' : ahead[step]

/** The stations of an issue, from analysis to merge, and where it is. */
export function ProgressSteps({ steps }: { readonly steps: readonly Step[] }) {
  if (steps.length === 0) return <span className="grow" />
  return (
    <ol
      className="flex min-w-0 grow items-center overflow-hidden"
      data-test="mailbox-progress"
      aria-label="Progress"
    >
      {steps.map((step, index) => (
        <Fragment key={step.step}>
          {index > 0 && <li className="progress-line" aria-hidden="true" />}
          <li
            className="progress-step"
            data-state={step.state}
            data-step={step.step}
            aria-current={step.state === 'current' ? 'step' : undefined}
          >
            <Icon name={iconOf(step)} size={13} />
            {stepWords[step.step]}
            <span className="sr">, {stepStateWords[step.state]}</span>
          </li>
        </Fragment>
      ))}
    </ol>
  )
}
