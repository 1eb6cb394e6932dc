import { useEffect, useState } from 'react'
import { classNames } from '../lib/class-names'

/** True once loading has taken so long that it may be shown. */
function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return isSlow
}

export interface SkeletonRowsProps {
  readonly count: number
  /** Height of the row that it stands for, in pixels. */
  readonly height: number
  readonly className?: string
}

/** Rows of the final height while something loads; nothing for the first 150 ms. */
export function SkeletonRows({ count, height, className }: SkeletonRowsProps) {
  const isSlow = useIsSlow()
  return (
    <div aria-hidden="true" className={className}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="grid content-center gap-2 px-4" style={{ height }}>
          <span className={classNames('h-3 w-3/5', isSlow && 'skeleton')} />
          <span className={classNames('h-2.5 w-2/5', isSlow && 'skeleton')} />
        </div>
      ))}
    </div>
  )
}
