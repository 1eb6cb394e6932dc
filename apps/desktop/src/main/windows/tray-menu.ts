import type { MenuItemConstructorOptions } from 'electron'
import type { MailboxRow } from '@shared/contract/mailboxes'
import type { QueueWait } from '@shared/contract/waits'
import { mailboxReference } from '@shared/format/references'
import { phaseWords } from '@shared/phase-words'
import { linkTo } from './deep-links'
import type { TrayStatus } from './tray-status'

export interface TrayActions {
  open(link: string | null): void
  toggle(): void
  setPaused(isPaused: boolean): void
  stopAll(): void
  quit(): void
}

/** Longer titles would make the menu as wide as the screen. */
const longestTitle = 48

/** Live runs, queued ones, what needs a person, then the switches. */
export function trayMenu(
  status: TrayStatus,
  needsYou: readonly Pick<MailboxRow, 'id' | 'iid' | 'kind' | 'forgeKind' | 'title'>[],
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const live = status.runs.filter((run) => run.state !== 'queued')
  const queued = status.runs.filter((run) => run.state === 'queued')
  const runItem = (run: TrayStatus['runs'][number], suffix: string): MenuItemConstructorOptions => ({
    label: plain(`${run.reference} ${phaseWord(run.phase)}${suffix}`),
    click: () => actions.open(linkTo({ runId: run.runId, mailboxId: null })),
  })
  const separator = { type: 'separator' } as const
  return [
    { label: headline(status), enabled: false },
    ...(status.runs.length > 0 ? [separator] : []),
    ...live.map((run) => runItem(run, '')),
    ...queued.map((run) => runItem(run, ` · ${waitWords(status, run)}`)),
    separator,
    needsYouItem(status.needsYou, needsYou, actions),
    {
      label: status.isPaused ? 'Resume new runs' : 'Pause new runs',
      click: () => actions.setPaused(!status.isPaused),
    },
    { label: 'Stop all runs…', enabled: live.length > 0, click: () => actions.stopAll() },
    separator,
    { label: 'Open Alfred', click: () => actions.open(null) },
    { label: 'Settings…', click: () => actions.open('alfred://settings') },
    { label: 'Quit Alfred…', click: () => actions.quit() },
  ]
}

function needsYouItem(
  count: number,
  rows: Parameters<typeof trayMenu>[1],
  actions: TrayActions,
): MenuItemConstructorOptions {
  if (count === 0 || rows.length === 0) {
    return {
      label: count === 0 ? 'Needs you' : `Needs you (${count})`,
      enabled: count > 0,
      click: () => actions.open('alfred://home/needs-you'),
    }
  }
  return {
    label: `Needs you (${count})`,
    submenu: rows.map((row) => ({
      label: plain(`${mailboxReference(row.kind, row.iid, row.forgeKind)} ${cut(row.title)}`),
      click: () => actions.open(linkTo({ runId: null, mailboxId: row.id })),
    })),
  }
}

const waitReasons: Readonly<Record<QueueWait['reason'], string>> = {
  slot: 'waits for a slot',
  retry_at: 'is tried again by itself',
  paused: 'new runs are paused',
  image: 'waits for the agent image',
  docker: 'waits for Docker',
  disk: 'waits for room on the disk',
  budget: 'the budget of the day is used',
}

/** What keeps a queued run from starting; no slot is promised while something bad may keep it as well. */
function waitWords({ banners }: TrayStatus, { wait }: TrayStatus['runs'][number]): string {
  const reason = wait?.reason ?? 'slot'
  if (reason === 'slot' && banners.some(({ severity }) => severity === 'bad')) return 'waits'
  return waitReasons[reason]
}

function headline(status: TrayStatus): string {
  const running = status.running === 0 ? 'nothing runs' : `${status.running} running`
  return `Alfred · ${running}${status.queued > 0 ? `, ${status.queued} queued` : ''}`
}

const phaseWord = (phase: string): string =>
  phase in phaseWords ? phaseWords[phase as keyof typeof phaseWords] : phase

const cut = (title: string): string =>
  title.length > longestTitle ? `${title.slice(0, longestTitle - 1).trimEnd()}…` : title

/** An ampersand in a menu marks a key on Linux and Windows; two of them are one to read. */
const plain = (label: string): string => label.replaceAll('&', '&&')
