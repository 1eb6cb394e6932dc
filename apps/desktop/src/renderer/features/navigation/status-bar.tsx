import { useEffect, type ReactNode } from 'react'
import type { EngineStatus } from '@shared/contract/app'
import { formatBytes, formatCost, counted } from '@shared/format'
import { Icon } from '../../components/icon'
import { LiveDot } from '../../components/live-dot'
import { useNowBy } from '../../lib/clock'
import { openHome, openView } from '../../lib/navigation/store'
import { queryClient } from '../../lib/query-client'
import { queryKeyOf, useQueryEntry } from '../../lib/use-query-entry'
import { dockerText, pollStepMs, pollText, runsText } from './status-texts'

/** What runs, whether Docker and the forges answer, and what today has cost. */
export function StatusBar() {
  const { data: status } = useQueryEntry('app.status', {})
  if (!status) return <footer className="statusbar" data-test="status-bar" />
  return (
    <footer className="statusbar" data-test="status-bar" data-pane="status-bar">
      <RunsItem status={status} />
      <Separator />
      <DockerItem status={status} />
      {status.image.state === 'building' && (
        <>
          <Separator />
          <Item icon="package">
            Building the agent image
            {status.image.fraction !== null && ` · ${Math.round(status.image.fraction * 100)} %`}
          </Item>
        </>
      )}
      <ForgeItem status={status} />
      <span className="grow" />
      <span className="status-item" data-test="status-cost-today" data-value={status.costTodayUsd}>
        Today {formatCost(status.costTodayUsd)}
        {status.dayBudgetUsd !== null && ` of ${formatCost(status.dayBudgetUsd)}`}
        {status.costTodayUnknown > 0 && ` · ${counted(status.costTodayUnknown, 'run')} unknown`}
      </span>
      <Separator />
      <Item icon="database">{formatBytes(status.databaseBytes)}</Item>
      <span className="contents max-wide:hidden">
        <Separator />
        <span className="status-item">{status.version}</span>
      </span>
    </footer>
  )
}

const Separator = () => <span className="status-separator" aria-hidden="true" />

function Item({ icon, children }: { readonly icon: 'database' | 'package'; readonly children: ReactNode }) {
  return (
    <span className="status-item">
      <Icon name={icon} size={13} />
      {children}
    </span>
  )
}

function RunsItem({ status }: { readonly status: EngineStatus }) {
  const isLive = status.running > 0
  return (
    <button
      type="button"
      className={`status-item ${isLive ? 'font-semibold text-run' : ''}`}
      data-test="status-runs"
      data-value={status.running}
      data-state={status.isPaused ? 'paused' : isLive ? 'running' : 'idle'}
      onClick={() => openHome({ filter: isLive ? 'running' : 'all-open', projectId: null, mailboxId: null })}
    >
      {status.isPaused ? <Icon name="pause" size={13} /> : isLive && <LiveDot className="mx-[3px]" />}
      {runsText(status)}
    </button>
  )
}

function DockerItem({ status }: { readonly status: EngineStatus }) {
  const isBad = status.docker.state !== 'reachable' && status.docker.state !== 'unknown'
  return (
    <button
      type="button"
      className={`status-item ${isBad ? 'font-semibold text-bad' : ''}`}
      data-test="status-docker"
      data-state={status.docker.state}
      title={status.docker.endpoint ?? undefined}
      onClick={() => openView({ screen: 'diagnostics' })}
    >
      <Icon name={isBad ? 'circle-x' : 'box'} size={13} />
      {dockerText(status.docker)}
    </button>
  )
}

/** A poll that is due changes nothing else in the status: it is asked for the next one a little later. */
const askAgainMs = 5_000

function useNextPoll(dueAt: number | null): void {
  useEffect(() => {
    if (dueAt === null) return
    const wait = Math.max(askAgainMs, dueAt - Date.now() + 1_000)
    const timer = setTimeout(() => {
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: queryKeyOf('app.status', {}) })
    }, wait)
    return () => clearTimeout(timer)
  }, [dueAt])
}

function ForgeItem({ status }: { readonly status: EngineStatus }) {
  const now = useNowBy(
    pollStepMs,
    status.forges.some((forge) => forge.nextPollAt !== null),
  )
  const first = status.forges[0]
  useNextPoll(
    status.forges.reduce<number | null>(
      (least, { nextPollAt }) => (nextPollAt === null ? least : Math.min(least ?? nextPollAt, nextPollAt)),
      null,
    ),
  )
  if (!first) return null
  const isBad = status.forges.some(({ state }) => state !== 'ok')
  return (
    <>
      <Separator />
      <span
        className={`status-item ${isBad ? 'font-semibold text-warn' : ''}`}
        data-test="status-forge"
        data-state={isBad ? 'trouble' : 'ok'}
        title={status.forges.map((forge) => forge.name).join(', ')}
      >
        <Icon name={isBad ? 'warning' : 'globe'} size={13} />
        {pollText(status.forges, now)}
        {status.outboxWaiting > 0 && ` · ${counted(status.outboxWaiting, 'post')} waiting`}
      </span>
    </>
  )
}
