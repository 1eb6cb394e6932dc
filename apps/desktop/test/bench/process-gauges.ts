import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface GaugeReading {
  /** How late the event loop of this process came to its timers, in milliseconds. */
  readonly delayP99Ms: number
  readonly longestDelayMs: number
  /** Resident memory at its highest, over what it was at the start, in MB. */
  readonly memoryAddedMb: number
  /** The highest of the second half over the highest of the first: what goes on growing, in MB. */
  readonly memoryGrowthMb: number
}

const resolutionMs = 1
const sampleMs = 50

/** Watches this process until it is read. */
export function startGauges(): { read(): GaugeReading } {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  const samples: number[] = []
  const sample = (): void => void samples.push(process.memoryUsage.rss() / 1e6)
  sample()
  const timer = setInterval(sample, sampleMs)
  delays.enable()
  return {
    read() {
      clearInterval(timer)
      delays.disable()
      sample()
      const half = Math.ceil(samples.length / 2)
      return {
        delayP99Ms: delays.percentile(99) / 1e6 - resolutionMs,
        longestDelayMs: delays.max / 1e6 - resolutionMs,
        memoryAddedMb: Math.max(...samples) - (samples[0] ?? 0),
        memoryGrowthMb: Math.max(...samples.slice(half)) - Math.max(...samples.slice(0, half)),
      }
    },
  }
}
