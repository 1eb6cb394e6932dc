import type { InstallationRow } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { announce } from '../../lib/announcer'
import { bridge } from '../../lib/bridge'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'
import { agentsProblem } from './agents-problem'
import { checkedWords, conditionsOf, keepsSessions, onDiskWords, resumeWords } from './installation-words'
import { LastRuns } from './last-runs'
import { SetAsideIds } from './set-aside-ids'
import { LoginSection } from './login-section'

export interface InstallationInspectorProps {
  readonly row: InstallationRow
}

const app = { scope: 'app', scopeId: 0 } as const

/** More about one installation: why it can resume or not, and where its sessions live. */
export function InstallationInspector({ row }: InstallationInspectorProps) {
  const { data: settings } = useQueryEntry('settings.list', app)
  const setting = settings?.find(({ key }) => key === 'AGENT_SESSION_RESUME')
  const { data: history } = useQueryEntry('app.agentHistory', { adapter: row.adapter })
  const check = useCommand('app.checkInstallation')
  const place = row.runner === 'host' ? 'on this computer' : `in ${row.imageTag ?? 'an image'}`
  const checkOne = async (): Promise<void> => {
    const { adapter, runner, imageDigest } = row
    const result = await check.run({ adapter, runner, imageDigest })
    if (result.ok) announce(`check of ${adapter}`, checkedWords(result.value, place))
  }
  const isResumeOn = setting === undefined ? null : setting.value === true
  return (
    <div className="grid gap-3.5">
      <div>
        <div className="flex items-center gap-2">
          <h2 className="text-14 font-semibold">{row.adapter}</h2>
          <span className="font-mono text-ink-2">{row.version ?? 'not found'}</span>
          <span className="grow" />
          <Button
            size="sm"
            icon="retry"
            label="Check"
            spokenLabel={`Check ${row.adapter} ${place} alone`}
            isBusy={check.isBusy}
            test="check-installation"
            onClick={() => void checkOne()}
          />
        </div>
        <p className="text-12 text-ink-3">{place}</p>
        {check.error && (
          <p className="mt-1 text-12 text-bad" role="alert" data-test="check-problem">
            {agentsProblem(check.error)}
          </p>
        )}
      </div>
      <section>
        <h3 className="mb-1.5 text-12 font-semibold">
          {row.resumable ? 'Why it can resume' : 'Why it cannot resume'}
        </h3>
        <ul className="grid gap-1 text-12">
          {conditionsOf(row, isResumeOn).map(({ text, holds }) => (
            <li key={text} className="flex items-center gap-2">
              <Icon name={holds ? 'check' : 'x'} size={13} className={holds ? 'text-ok' : 'text-warn'} />
              <span className="sr">{holds ? 'Holds: ' : 'Does not hold: '}</span>
              {text}
            </li>
          ))}
        </ul>
        {row.version !== null && (
          <>
            {(row.reason !== null || row.projectReasons.length > 0) && (
              <p className="mt-1.5 text-12 [overflow-wrap:anywhere] text-ink-2">{resumeWords(row)}</p>
            )}
            <button
              type="button"
              className="link mt-1.5 text-12"
              onClick={() => openView({ ...settingsView, key: 'AGENT_SESSION_RESUME' })}
            >
              AGENT_SESSION_RESUME in settings
            </button>
          </>
        )}
      </section>
      {history && row.version !== null && <LastRuns counts={history.lastRuns} />}
      {keepsSessions(row) && (
        <section data-test="session-place">
          <h3 className="mb-1.5 text-12 font-semibold">Where its sessions live</h3>
          <dl className="kv grid-cols-[78px_minmax(0,1fr)] text-11">
            <dt>In container</dt>
            <dd className="font-mono [overflow-wrap:anywhere]">{row.statePath}</dd>
            <dt>On disk</dt>
            <dd>
              {history && (
                <div data-test="sessions-on-disk" data-value={history.sessions.bytes}>
                  {onDiskWords(history.sessions)}
                  {history.sessions.issues > 0 && (
                    <>
                      {' · '}
                      <button
                        type="button"
                        className="link"
                        data-test="open-sessions-folder"
                        onClick={() => bridge().shell.showSessionsFolder()}
                      >
                        Open folder
                      </button>
                    </>
                  )}
                </div>
              )}
              <div className="font-mono [overflow-wrap:anywhere]">{`.agent-sessions/…/${row.adapter}`}</div>
            </dd>
            <dt>Removed</dt>
            <dd>when the mailbox is cleaned up</dd>
          </dl>
        </section>
      )}
      {row.version !== null && <LoginSection row={row} />}
      {history && keepsSessions(row) && <SetAsideIds ids={history.setAside} />}
    </div>
  )
}
