import type { RailSlice } from '@shared/timeline/rail'
import { threadStroke } from '../../lib/thread-colour'
import type { BandLine } from './timeline-items'

/*
 * The thread line of one row. Lanes are centred on half pixels, so that the line is crisp at one and two pixels per
 * point; each slice reaches one point over its edges, so that neighbours join without a seam.
 */

const laneX = (lane: number): number => 18.5 + lane * 16
const width = 52
const dash = '3 4'

interface RailProps {
  readonly slice: RailSlice
  readonly height: number
  readonly isLive: boolean
  readonly isInterrupted: boolean
  /** A row out of its neighbourhood: gaps are drawn as dots. */
  readonly isFiltered: boolean
}

/** Node and lines of a session. */
export function SessionRail({ slice, height, isLive, isInterrupted, isFiltered }: RailProps) {
  const middle = height / 2
  if (isFiltered) return <FilteredRail slice={slice} height={height} />
  const x = slice.lane === null ? null : laneX(slice.lane)
  const stroke = threadStroke(slice.color)
  // what begins at a cut comes down from its band
  const up = slice.up ?? (slice.cut && slice.letter ? 'solid' : null)
  return (
    <Canvas height={height}>
      <ThroughLines slice={slice} height={height} />
      {x !== null && up && <Line x={x} from={-1} to={middle} stroke={stroke} isDashed={up === 'dashed'} />}
      {x !== null && slice.down && (
        <Line x={x} from={middle} to={height + 1} stroke={stroke} isDashed={slice.down === 'dashed'} />
      )}
      {isLive && (
        <circle
          className="live-ring"
          cx={x ?? laneX(0)}
          cy={middle}
          r="12"
          stroke={isInterrupted ? 'var(--warn)' : 'var(--run)'}
          strokeWidth="1.5"
          strokeDasharray="4 3"
        />
      )}
      {x === null ? (
        <NoSessionNode slice={slice} y={middle} />
      ) : (
        <Node x={x} y={middle} letter={slice.letter} stroke={stroke} />
      )}
    </Canvas>
  )
}

/** The end of one memory and the begin of the next, beside the band that says why. */
export function BreakRail({ slice, height }: { readonly slice: RailSlice; readonly height: number }) {
  const { cut } = slice
  if (!cut) return <Canvas height={height}>{null}</Canvas>
  const oldX = laneX(cut.lane)
  const newX = laneX(slice.lane ?? cut.lane)
  const upperCut = height * 0.32
  const lowerCut = height * 0.78
  return (
    <Canvas height={height}>
      <ThroughLines slice={slice} height={height} />
      {cut.color && <Line x={oldX} from={-1} to={upperCut - 2} stroke={threadStroke(cut.color)} />}
      <CutMark x={oldX} y={upperCut} />
      <CutMark x={newX} y={lowerCut} />
      {slice.letter && (
        <Line x={newX} from={lowerCut - 1} to={height + 1} stroke={threadStroke(slice.color)} />
      )}
    </Canvas>
  )
}

/** The lines that pass a day mark. */
export function BandRail({
  lines,
  height,
}: {
  readonly lines: readonly BandLine[]
  readonly height: number
}) {
  return (
    <Canvas height={height}>
      {lines.map((line) => (
        <Line
          key={line.lane}
          x={laneX(line.lane)}
          from={-1}
          to={height + 1}
          stroke={threadStroke(line.color)}
          isDashed={line.isDashed}
        />
      ))}
    </Canvas>
  )
}

function FilteredRail({ slice, height }: Pick<RailProps, 'slice' | 'height'>) {
  const middle = height / 2
  return (
    <Canvas height={height}>
      <path
        d={`M${laneX(0)} 2V${height}`}
        stroke="var(--thread-none)"
        strokeWidth="2"
        strokeLinecap="round"
        strokeDasharray="0.1 6"
      />
      {slice.lane === null ? (
        <NoSessionNode slice={{ ...slice, through: [] }} y={middle} />
      ) : (
        <Node x={laneX(0)} y={middle} letter={slice.letter} stroke={threadStroke(slice.color)} />
      )}
    </Canvas>
  )
}

function Canvas({ height, children }: { readonly height: number; readonly children: React.ReactNode }) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      aria-hidden="true"
      className="block overflow-visible"
    >
      {children}
    </svg>
  )
}

interface LineProps {
  readonly x: number
  readonly from: number
  readonly to: number
  readonly stroke: string
  readonly isDashed?: boolean
}

const Line = ({ x, from, to, stroke, isDashed = false }: LineProps) => (
  <path
    d={`M${x} ${from}V${to}`}
    stroke={stroke}
    strokeWidth="3"
    strokeDasharray={isDashed ? dash : undefined}
  />
)

function ThroughLines({ slice, height }: Pick<RailProps, 'slice' | 'height'>) {
  return slice.through.map((line) => (
    <g key={line.lane}>
      <Line
        x={laneX(line.lane)}
        from={-1}
        to={height + 1}
        stroke={threadStroke(line.color)}
        isDashed={line.style === 'dashed'}
      />
      {line.more > 0 && (
        <text x={laneX(line.lane) + 4} y={height / 2 + 3} fontSize="8" fontWeight="600" fill="var(--text-3)">
          +{line.more}
        </text>
      )}
    </g>
  ))
}

const CutMark = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <path d={`M${x - 7} ${y}l14 -5`} stroke="var(--warn)" strokeWidth="2.2" strokeLinecap="round" />
)

interface NodeProps {
  readonly x: number
  readonly y: number
  readonly letter: string | null
  readonly stroke: string
}

/** A node with the memory's letter; without one the id is not known yet, or was never proven. */
function Node({ x, y, letter, stroke }: NodeProps) {
  return (
    <>
      <circle
        cx={x}
        cy={y}
        r="8.5"
        fill="var(--surface)"
        stroke={stroke}
        strokeWidth="2"
        strokeDasharray={letter === null ? '3 2.4' : undefined}
      />
      {letter !== null && (
        <text
          x={x}
          y={y + 3.6}
          textAnchor="middle"
          fontSize={letter.length > 1 ? 8 : 10}
          fontWeight="700"
          fill={stroke}
        >
          {letter}
        </text>
      )}
    </>
  )
}

/** Sessions do not apply to the row: a small ring on a lane that nothing passes. */
function NoSessionNode({ slice, y }: { readonly slice: RailSlice; readonly y: number }) {
  const lane = slice.through.some((line) => line.lane === 0) ? 1 : 0
  return (
    <circle
      cx={laneX(lane)}
      cy={y}
      r="4"
      fill="var(--surface)"
      stroke="var(--thread-none)"
      strokeWidth="1.5"
    />
  )
}
