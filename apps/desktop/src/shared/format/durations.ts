import { formatDuration } from '../format'

/** Tool calls: tenths of a second below ten seconds (`0.3s`), else as durations. */
export function formatToolDuration(ms: number): string {
  const t = Math.max(0, ms)
  return t < 9_950 ? `${(t / 1_000).toFixed(1)}s` : formatDuration(Math.round(t / 1_000) * 1_000)
}
