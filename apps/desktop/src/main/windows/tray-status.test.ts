import { describe, expect, it } from 'vitest'
import { trayIconName, trayShape, trayTooltip, type TrayStatus } from './tray-status'

const idle: TrayStatus = { running: 0, queued: 0, needsYou: 0, isPaused: false, banners: [], runs: [] }
const problem = { code: 'docker_unreachable', severity: 'bad', facts: {} } as const

describe('the tray', () => {
  it.each([
    [idle, 'plain'],
    [{ ...idle, running: 2 }, 'dot'],
    [{ ...idle, running: 2, isPaused: true }, 'bars'],
    [{ ...idle, running: 2, isPaused: true, needsYou: 3 }, 'number'],
    [{ ...idle, running: 2, needsYou: 3, banners: [problem] }, 'triangle'],
    [{ ...idle, running: 1, banners: [{ ...problem, severity: 'warn' as const }] }, 'dot'],
  ])('tells state %# by shape', (status, shape) => {
    expect(trayShape(status)).toBe(shape)
  })

  it('has an icon for each number up to nine, and one for more', () => {
    expect(trayIconName({ ...idle, needsYou: 9 })).toBe('tray-number-9')
    expect(trayIconName({ ...idle, needsYou: 10 })).toBe('tray-number-more')
    expect(trayIconName(idle)).toBe('tray-plain')
  })

  it('counts in the tooltip, and leaves out what is zero', () => {
    expect(trayTooltip({ ...idle, running: 2, queued: 1, needsYou: 3 })).toBe(
      'Alfred: 2 running, 1 queued, 3 need you',
    )
    expect(trayTooltip({ ...idle, needsYou: 1, isPaused: true })).toBe('Alfred: 1 needs you, new runs paused')
    expect(trayTooltip(idle)).toBe('Alfred: nothing runs')
  })
})
