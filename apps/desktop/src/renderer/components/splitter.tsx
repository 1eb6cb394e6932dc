import { useState, type KeyboardEvent, type PointerEvent } from 'react'

export interface SplitterProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChange: (width: number) => void
  readonly onReset: () => void
}

const keyStep = 16

/** The line between two panes: dragged, moved with the arrow keys, reset by a double click. Stands in a positioned pane. */
export function Splitter({ label, value, min, max, onChange, onReset }: SplitterProps) {
  const [start, setStart] = useState<{ readonly x: number; readonly width: number } | null>(null)
  const set = (width: number): void => onChange(Math.round(Math.max(min, Math.min(max, width))))
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    set(value + step)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setStart({ x: event.clientX, width: value })
  }
  return (
    <div
      className="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      data-dragging={start ? '' : undefined}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => start && set(start.width + event.clientX - start.x)}
      onPointerUp={() => setStart(null)}
      onPointerCancel={() => setStart(null)}
      onDoubleClick={onReset}
    />
  )
}
