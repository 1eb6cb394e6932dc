import { formatDuration } from '@shared/format'

/** `A terminal is stopped after 8h 00m, also when nobody looks at it. Its work and memory are kept.` */
export const terminalLimitNote = (limitMs: number): string =>
  `A terminal is stopped after ${formatDuration(limitMs)}, also when nobody looks at it. Its work and memory are kept.`
