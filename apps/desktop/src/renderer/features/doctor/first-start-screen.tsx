import { formatBytes } from '@shared/format'
import { Button } from '../../components/button'
import { SkeletonRows } from '../../components/skeleton'
import { bridge } from '../../lib/bridge'
import { openHome, openView } from '../../lib/navigation/store'
import { openOverlay } from '../../lib/overlays'
import { copyText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { useQueryEntry } from '../../lib/use-query-entry'
import { DemoCard } from './demo-card'
import { DoctorList } from './doctor-list'
import { passWords } from './doctor-words'
import { useDoctor } from './use-doctor'

/** "Make this computer ready" beside the demo; the same screen is Diagnostics later. */
export function FirstStartScreen({ isDiagnostics }: { readonly isDiagnostics: boolean }) {
  const doctor = useDoctor()
  return (
    <div
      className="flex min-h-0 min-w-0 flex-1"
      data-test="first-start"
      data-value={isDiagnostics ? 'diagnostics' : 'first-start'}
    >
      <main className="flex min-w-0 flex-1 flex-col bg-surface" data-pane="doctor">
        <div
          className="min-h-0 grow overflow-y-auto px-5 pt-5 pb-2 wide:px-9"
          role="region"
          aria-label="Checks of this computer"
          tabIndex={0}
        >
          <h1 className="text-20 font-semibold">
            {isDiagnostics ? 'Diagnostics' : 'Make this computer ready'}
          </h1>
          <p className="mt-0.5 mb-3 text-14 text-ink-2" role="status">
            {`Alfred runs agents in containers here and never sends your code to a server of ours. ${passWords(doctor.lines)}`}
          </p>
          {doctor.lines.length === 0 && <SkeletonRows count={6} height={38} />}
          <DoctorList lines={doctor.lines} onCheckAgain={doctor.checkAgain} />
        </div>
        <div className="flex flex-none flex-wrap items-center gap-2 border-t border-line bg-bg px-5 py-2.5 wide:px-9">
          {!isDiagnostics && <StartButton />}
          {!isDiagnostics && (
            <Button
              size="lg"
              icon="plug"
              label="Connect a forge"
              test="start-connect-forge"
              onClick={() => openView({ screen: 'forges' })}
            />
          )}
          <Button
            size="lg"
            variant={isDiagnostics ? 'primary' : 'normal'}
            icon="retry"
            label="Check again"
            isBusy={doctor.isChecking}
            test="run-doctor"
            onClick={doctor.checkAgain}
          />
          <span className="grow" />
          <Button
            variant="quiet"
            icon="copy"
            label="Copy report, secrets left out"
            disabledReason={doctor.report === null ? 'The checks are not done yet.' : null}
            test="copy-report"
            onClick={() => {
              copyText(doctor.report ?? '')
              showToast({ title: 'Report copied', description: 'Secrets are left out.' })
            }}
          />
        </div>
      </main>
      <aside
        className="flex w-[280px] flex-none flex-col gap-4 overflow-y-auto border-l border-line bg-bg px-5 py-6 wide:w-[372px] wide:px-6"
        data-pane="demo"
      >
        <DemoCard />
        {isDiagnostics && <InstallFacts />}
        <span className="grow" />
        <p className="text-11 text-ink-3">
          No account, no telemetry. Everything stays in one folder that you can back up.
        </p>
      </aside>
    </div>
  )
}

/** Goes to the mailboxes; without any project it first makes one. */
function StartButton() {
  const { data: projects } = useQueryEntry('mailboxes.projects', {})
  const own = projects?.find((project) => !project.isDemo)
  if (projects && !own) {
    return (
      <Button
        size="lg"
        variant="primary"
        icon="plus"
        label="Start with a new project"
        test="start-polling"
        onClick={() => openOverlay({ kind: 'new-project' })}
      />
    )
  }
  return (
    <Button
      size="lg"
      variant="primary"
      label={own ? `Start with ${own.organization}` : 'Start'}
      test="start-polling"
      onClick={() => openHome({ projectId: null })}
    />
  )
}

function InstallFacts() {
  const { data: info } = useQueryEntry('app.info', {})
  const { data: status } = useQueryEntry('app.status', {})
  if (!info || !status) return null
  return (
    <section aria-labelledby="install-facts">
      <h2 id="install-facts" className="mb-1.5 text-12 font-semibold">
        This installation
      </h2>
      <dl className="kv text-11 leading-[17px]">
        <dt>Version</dt>
        <dd>{info.version}</dd>
        <dt>Data folder</dt>
        <dd className="font-mono [overflow-wrap:anywhere] selectable">{info.dataFolder}</dd>
        <dt>Database</dt>
        <dd>{formatBytes(status.databaseBytes)}</dd>
        <dt>Docker</dt>
        <dd className="[overflow-wrap:anywhere]">
          {status.docker.endpoint === null
            ? status.docker.state
            : `${status.docker.endpoint}, ${status.docker.source ?? 'found by itself'}`}
        </dd>
        <dt>You are</dt>
        <dd>{info.personLogin}</dd>
      </dl>
      <Button
        size="sm"
        icon="folder"
        label="Open the data folder"
        className="mt-2"
        onClick={() => bridge().shell.showDataFolder()}
      />
    </section>
  )
}
