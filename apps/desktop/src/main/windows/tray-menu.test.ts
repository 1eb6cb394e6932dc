import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { mailboxIdSchema, runIdSchema } from '@shared/model/ids'
import { trayMenu, type TrayActions } from './tray-menu'
import type { TrayStatus } from './tray-status'

const run = (id: number, state: string, phase = 'review_fix') => ({
  runId: runIdSchema.parse(id),
  mailboxId: mailboxIdSchema.parse(id),
  reference: `#${id}`,
  phase,
  state,
  title: 'Retry calls',
  wait: state === 'queued' ? ({ reason: 'slot', at: null } as const) : null,
})
const busy: TrayStatus = {
  running: 1,
  queued: 1,
  needsYou: 1,
  isPaused: false,
  banners: [],
  runs: [run(128, 'running'), run(240, 'queued', 'ci_fix')],
}
const row = {
  id: mailboxIdSchema.parse(94),
  iid: 94,
  kind: 'issue' as const,
  forgeKind: 'local' as const,
  title: 'Split R&D import',
}

function recorder(): { readonly actions: TrayActions; readonly seen: string[] } {
  const seen: string[] = []
  return {
    seen,
    actions: {
      open: (link) => seen.push(`open ${link ?? 'window'}`),
      toggle: () => undefined,
      setPaused: (isPaused) => seen.push(`paused ${isPaused}`),
      stopAll: () => seen.push('stop all'),
      quit: () => seen.push('quit'),
    },
  }
}

const labels = (items: readonly MenuItemConstructorOptions[]): (string | undefined)[] =>
  items.filter((item) => item.type !== 'separator').map((item) => item.label)

const click = (items: readonly MenuItemConstructorOptions[], label: string): void => {
  const item = items.find((candidate) => candidate.label === label)
  ;(item?.click as (() => void) | undefined)?.()
}

describe('the tray menu', () => {
  it('lists live runs, queued runs, what needs a person and the switches', () => {
    expect(labels(trayMenu(busy, [row], recorder().actions))).toEqual([
      'Alfred · 1 running, 1 queued',
      '#128 Review fix',
      '#240 CI fix · waits for a slot',
      'Needs you (1)',
      'Pause new runs',
      'Stop all runs…',
      'Open Alfred',
      'Settings…',
      'Quit Alfred…',
    ])
  })

  it('promises no slot while something else keeps a run from starting', () => {
    const queued = (status: Partial<TrayStatus>) =>
      labels(trayMenu({ ...busy, ...status }, [], recorder().actions))[2]
    const banner = { code: 'docker_unreachable', severity: 'bad', facts: {} } as const
    expect(queued({ banners: [banner] })).toBe('#240 CI fix · waits')
  })

  it.each([
    ['retry_at', 'is tried again by itself'],
    ['paused', 'new runs are paused'],
    ['docker', 'waits for Docker'],
    ['disk', 'waits for room on the disk'],
    ['budget', 'the budget of the day is used'],
  ] as const)('says that a run waits for %s', (reason, words) => {
    const waiting = { ...run(342, 'queued', 'ci_fix'), reference: '!342', wait: { reason, at: null } }
    expect(labels(trayMenu({ ...busy, runs: [waiting] }, [], recorder().actions))[1]).toBe(
      `!342 CI fix · ${words}`,
    )
  })

  it('opens the run and the mailbox that was chosen', () => {
    const { actions, seen } = recorder()
    const menu = trayMenu(busy, [row], actions)
    click(menu, '#128 Review fix')
    const submenu = menu.find((item) => item.label === 'Needs you (1)')
      ?.submenu as MenuItemConstructorOptions[]
    click(submenu, '#94 Split R&&D import')
    click(menu, 'Pause new runs')
    expect(seen).toEqual(['open alfred://run/128', 'open alfred://mailbox/94', 'paused true'])
  })

  it('cannot stop what does not run', () => {
    const menu = trayMenu({ ...busy, running: 0, runs: [] }, [], recorder().actions)
    expect(menu.find((item) => item.label === 'Stop all runs…')?.enabled).toBe(false)
  })

  it('cuts long titles', () => {
    const menu = trayMenu(busy, [{ ...row, title: 'x'.repeat(200) }], recorder().actions)
    const submenu = menu.find((item) => item.label === 'Needs you (1)')
      ?.submenu as MenuItemConstructorOptions[]
    expect(submenu[0]?.label).toHaveLength('#94 '.length + 48)
  })
})
