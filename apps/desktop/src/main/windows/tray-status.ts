import type { EngineStatus } from '@shared/contract/app'

/*
 * What the tray says, as plain data: shape first, then the tooltip, then the menu. Electron comes in tray.ts.
 */

/** Told by shape, since trays are often grey: bow tie alone, with a dot, a number, a triangle, bars. */
export type TrayShape = 'plain' | 'dot' | 'number' | 'triangle' | 'bars'

export type TrayStatus = Pick<
  EngineStatus,
  'running' | 'queued' | 'needsYou' | 'isPaused' | 'banners' | 'runs'
>

/** The worst thing that a person should know comes first. */
export function trayShape(status: TrayStatus): TrayShape {
  if (status.banners.some((banner) => banner.severity === 'bad')) return 'triangle'
  if (status.needsYou > 0) return 'number'
  if (status.isPaused) return 'bars'
  return status.running > 0 ? 'dot' : 'plain'
}

/** The icon's file name below resources/icons, without ink, scale and `.png`. */
export function trayIconName(status: TrayStatus): string {
  const shape = trayShape(status)
  if (shape !== 'number') return `tray-${shape}`
  return `tray-number-${status.needsYou > 9 ? 'more' : status.needsYou}`
}

/** "Alfred: 2 running, 1 queued, 3 need you". */
export function trayTooltip(status: TrayStatus): string {
  const parts = [
    status.running > 0 ? `${status.running} running` : null,
    status.queued > 0 ? `${status.queued} queued` : null,
    status.needsYou > 0 ? `${status.needsYou} ${status.needsYou === 1 ? 'needs' : 'need'} you` : null,
    status.isPaused ? 'new runs paused' : null,
  ].filter((part) => part !== null)
  return `Alfred: ${parts.length > 0 ? parts.join(', ') : 'nothing runs'}`
}
