import type { InstallationRow } from '@shared/contract/app'
import { formatTime, isoWithOffset } from '@shared/format/times'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { SignInButton } from '../../components/sign-in-button'
import { announce } from '../../lib/announcer'
import { useMinute } from '../../lib/clock'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { useCommand } from '../../lib/use-command'
import { agentsProblem } from './agents-problem'
import {
  agoWords,
  loginKindWords,
  loginLookOf,
  loginMountWords,
  projectLoginsOf,
  proofWords,
} from './login-words'

/** Whether the CLI is signed in, as its files say; its provider is asked only by the button, since that costs. */
export function LoginSection({ row }: { readonly row: InstallationRow }) {
  const now = useMinute()
  const login = loginLookOf(row, now)
  const ofProjects = projectLoginsOf(row, now)
  const help = [login, ...ofProjects].find((look) => look.help !== undefined)?.help
  const canProbe = row.runner === 'container' && row.version !== null && row.loginState !== 'not_needed'
  return (
    <section data-test="login-section">
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
      {row.loginState !== 'not_needed' && <Facts row={row} now={now} />}
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
      {canProbe && row.adapter !== 'api' && (help !== undefined || row.loginState === 'unknown') && (
        <div className="mt-2">
          <SignInButton size="sm" adapter={row.adapter} />
        </div>
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

/** What signs it in, what is mounted for that, when it ends, and what its provider said when somebody had it asked. */
function Facts({ row, now }: { readonly row: InstallationRow; readonly now: number }) {
  const kind = loginKindWords(row)
  const mounted = loginMountWords(row)
  const { loginEndsAt, loginProof } = row
  const proof = loginProof && proofWords(loginProof, agoWords(now - loginProof.askedAt))
  return (
    <dl className="kv mt-1.5 grid-cols-[78px_minmax(0,1fr)] text-11">
      {kind !== null && (
        <>
          <dt>Kind</dt>
          <dd className="[overflow-wrap:anywhere]" data-test="login-kind">
            {kind}
          </dd>
        </>
      )}
      {mounted !== null && (
        <>
          <dt>Mounted</dt>
          <dd data-test="login-mounted">{mounted}</dd>
        </>
      )}
      {loginEndsAt !== null && (
        <>
          <dt>{loginEndsAt <= now ? 'Ended' : 'Ends'}</dt>
          <dd data-test="login-ends" data-value={loginEndsAt} title={isoWithOffset(loginEndsAt)}>
            {formatTime(loginEndsAt, { now })}
          </dd>
        </>
      )}
      {row.runner === 'container' && (
        <>
          <dt>Proven</dt>
          <dd data-test="login-proof" data-value={loginProof?.outcome ?? ''}>
            {proof === null ? (
              'never: nobody has asked the provider yet'
            ) : (
              <span className="flex gap-1" title={isoWithOffset(loginProof?.askedAt ?? now)}>
                <Icon name={proof.icon} size={12} className={`mt-0.5 flex-none ${proof.tone}`} />
                <span className="[overflow-wrap:anywhere]">{proof.text}</span>
              </span>
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

interface ProbeProps {
  readonly adapter: InstallationRow['adapter']
  readonly imageDigest: string
}

/** What comes of it is kept, and stands among the facts. */
function Probe({ adapter, imageDigest }: ProbeProps) {
  const probe = useCommand('app.probeLogin')
  const ask = async (): Promise<void> => {
    const result = await probe.run({ adapter, imageDigest })
    if (!result.ok) return
    const { text } = proofWords(result.value, 'just now')
    announce(`login of ${adapter}`, `Login of ${adapter}: ${text}`)
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
      {probe.error && (
        <p className="text-12 text-bad" role="alert">
          {agentsProblem(probe.error)}
        </p>
      )}
    </div>
  )
}
