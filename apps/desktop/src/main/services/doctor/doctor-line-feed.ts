import type { DoctorLine } from '@shared/contract/app'

/** The doctor's lines as they become known, for everybody who looks on. */
export interface DoctorLineFeed {
  publish(line: DoctorLine): void
  subscribe(listener: (line: DoctorLine) => void): () => void
}

export function createDoctorLineFeed(): DoctorLineFeed {
  const listeners = new Set<(line: DoctorLine) => void>()
  return {
    publish: (line) => listeners.forEach((listener) => listener(line)),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
