import { useState } from 'react'
import type { InstallationRow, LoginAnswer } from '@shared/contract/app'
import { formatCost, formatDuration } from '@shared/format'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { useCommand } from '../../lib/use-command'
import { agentsProblem } from './agents-problem'
import { loginLookOf, projectLoginsOf } from './installation-words'

/** Whether the CLI is signed in, as its files say; its provider is asked only by the button, since that costs. */
export function LoginSection({ row }: { readonly row: InstallationRow }) {
  const login = loginLookOf(row)
  const ofProjects = projectLoginsOf(row)
  const help = [login, ...ofProjects].find((look) => look.help !== undefined)?.help
  const canProbe = row.runner === 'container' && row.version !== null && row.loginState !== 'not_needed'
  return (
    <section>
      <h3 className="mb-1.5 text-12 font-semibold">Login</h3>
      <p className={`flex items-center gap-1.5 text-12 ${login.tone}`}>
        <Icon name={login.icon} size={13} />
        {login.text}
      </p>
      {ofProjects.map(({ text, tone, icon }) => (
        <p key={text} className={`mt-0.5 flex gap-1.5 text-12 ${tone}`}>
          <Icon name={icon} size={13} className="mt-0.5 flex-none" />
          <span className="[overflow-wrap:anywhere]">{text}</span>
        </p>
      ))}
      {help !== undefined && (
        <p className="mt-1 text-12 text-ink-2">
          {help}{' '}
          <button
            type="button"
            className="link"
            onClick={() => openView({ ...settingsView, key: 'AGENT_CREDENTIAL_ENV' })}
          >
            Credentials in settings
          </button>
        </p>
      )}
      {canProbe && row.imageDigest !== null && (
        <Probe
          key={`${row.adapter} ${row.imageDigest}`}
          adapter={row.adapter}
          imageDigest={row.imageDigest}
        />
      )}
    </section>
  )
}

function Probe({
  adapter,
  imageDigest,
}: {
  readonly adapter: InstallationRow['adapter']
  readonly imageDigest: string
}) {
  const probe = useCommand('app.probeLogin')
  const [answer, setAnswer] = useState<LoginAnswer | null>(null)
  const ask = async (): Promise<void> => {
    setAnswer(null)
    const result = await probe.run({ adapter, imageDigest })
    if (result.ok) setAnswer(result.value)
  }
  return (
    <div className="mt-2 grid gap-1.5">
      <div className="flex items-center gap-2">
        <Button
          size="sm"
          icon="plug"
          label="Ask the provider"
          spokenLabel={`Ask the provider of ${adapter} whether this login is good`}
          isBusy={probe.isBusy}
          test="probe-login"
          onClick={() => void ask()}
        />
        <span className="text-11 text-ink-3">One short question. It costs a few tokens.</span>
      </div>
      <div role="status">
        {probe.error && <p className="text-12 text-bad">{agentsProblem(probe.error)}</p>}
        {answer && <Answer answer={answer} />}
      </div>
    </div>
  )
}

const looks = {
  answered: { icon: 'circle-check', tone: 'text-ok' },
  refused: { icon: 'circle-x', tone: 'text-bad' },
  failed: { icon: 'warning', tone: 'text-warn' },
} as const

function Answer({ answer }: { readonly answer: LoginAnswer }) {
  const { icon, tone } = looks[answer.outcome]
  return (
    <p className={`flex gap-1.5 text-12 ${tone}`} data-test="login-answer" data-value={answer.outcome}>
      <Icon name={icon} size={13} className="mt-0.5 flex-none" />
      <span className="[overflow-wrap:anywhere]">{answerText(answer)}</span>
    </p>
  )
}

function answerText({ outcome, message, tookMs, costUsd }: LoginAnswer): string {
  switch (outcome) {
    case 'answered':
      return `The login is good: the provider answered in ${formatDuration(tookMs)}, for ${formatCost(costUsd)}.`
    case 'refused':
      return `The provider refuses this login: ${message ?? ''}`
    case 'failed':
      return `It could not be found out: ${message ?? ''}`
  }
}
