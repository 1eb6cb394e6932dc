import { useEffect, useState } from 'react'
import type { DoctorLine } from '@shared/contract/app'
import { useQueryEntry } from '../../lib/use-query-entry'
import { useStream } from '../../lib/use-stream'
import { putLine } from './doctor-words'

export interface Doctor {
  readonly lines: readonly DoctorLine[]
  /** For a message to somebody who helps; secrets are left out. */
  readonly report: string | null
  readonly isChecking: boolean
  readonly checkAgain: () => void
}

/** Checks this computer when it is shown; lines come one by one. */
export function useDoctor(): Doctor {
  const [coming, setComing] = useState<readonly DoctorLine[]>([])
  useStream('app.doctorLines', null, (line) => setComing((lines) => putLine(lines, line)))
  const { data, isFetching, refetch } = useQueryEntry('app.doctor', {})
  useEffect(() => void refetch(), [refetch])
  return {
    lines: isFetching && coming.length > 0 ? mergeLines(data?.lines ?? [], coming) : (data?.lines ?? coming),
    report: data?.report ?? null,
    isChecking: isFetching,
    checkAgain: () => {
      setComing([])
      void refetch()
    },
  }
}

const mergeLines = (known: readonly DoctorLine[], coming: readonly DoctorLine[]): readonly DoctorLine[] =>
  coming.reduce(putLine, known)
