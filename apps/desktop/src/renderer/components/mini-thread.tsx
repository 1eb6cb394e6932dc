import { letterStroke } from '../lib/thread-colour'

export interface MiniThreadNode {
  readonly key: string | number
  /** The memory's letter; null for a run without a session. */
  readonly letter: string | null
  /** A memory was lost right before this one. */
  readonly isBreak: boolean
  readonly isLive: boolean
}

const step = 9
const breakWidth = 4
const middle = 5

/** The last sessions of a mailbox, small: same letters joined, breaks marked, the live one ringed. */
export function MiniThread({ nodes }: { readonly nodes: readonly MiniThreadNode[] }) {
  if (nodes.length === 0) return null
  let x = 4 - step
  const placed = nodes.map((node, index) => {
    x += step + (node.isBreak && index > 0 ? breakWidth : 0)
    return { ...node, x }
  })
  const width = (placed.at(-1)?.x ?? 0) + 5
  return (
    <svg
      width={width}
      height="10"
      viewBox={`0 0 ${width} 10`}
      fill="none"
      aria-hidden="true"
      className="flex-none"
    >
      {placed.map((node, index) => {
        const before = placed.slice(0, index).findLast((other) => other.letter === node.letter)
        if (node.letter === null || !before || node.isBreak) return null
        return (
          <path
            key={node.key}
            d={`M${before.x} ${middle}H${node.x}`}
            stroke={letterStroke(node.letter)}
            strokeWidth="2"
          />
        )
      })}
      {placed.map((node, index) =>
        node.isBreak && index > 0 ? (
          <path
            key={node.key}
            d={`M${node.x - 8.7} 8.5l1.6-7M${node.x - 5.7} 8.5l1.6-7`}
            stroke="var(--warn)"
            strokeWidth="1.4"
            strokeLinecap="round"
          />
        ) : null,
      )}
      {placed.map((node) => (
        <circle
          key={node.key}
          cx={node.x}
          cy={middle}
          r={node.isLive ? 3.6 : 2.8}
          fill={node.isLive ? 'var(--surface)' : node.letter === null ? 'none' : letterStroke(node.letter)}
          stroke={node.isLive ? 'var(--run)' : letterStroke(node.letter)}
          strokeWidth={node.isLive ? 1.8 : 1}
        />
      ))}
    </svg>
  )
}
