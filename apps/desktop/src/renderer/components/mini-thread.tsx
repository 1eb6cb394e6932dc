import { letterStroke } from '../lib/thread-colour'

export interface MiniThreadNode {
  readonly key: string | number
  /** The memory's letter; null for a run without a session. */
  readonly letter: string | null
  /** A memory was lost right before this one. */
  readonly isBreak: boolean
  readonly isLive: boolean
}

interface Placed extends MiniThreadNode {
  readonly x: number
}

const step = 9
const breakWidth = 4
const middle = 5

/**
 * The last sessions of a mailbox, small: same letters joined, breaks marked, the live one ringed. What looks alike is
 * one path: a list draws many of these.
 */
export function MiniThread({ nodes }: { readonly nodes: readonly MiniThreadNode[] }) {
  if (nodes.length === 0) return null
  const placed = place(nodes)
  const width = (placed.at(-1)?.x ?? 0) + 5
  const breaks = placed.filter((node, index) => node.isBreak && index > 0)
  return (
    <svg
      width={width}
      height="10"
      viewBox={`0 0 ${width} 10`}
      fill="none"
      aria-hidden="true"
      className="flex-none"
    >
      {alikeBy(placed, ({ letter }) => letter ?? '').map(([letter, alike]) =>
        letter === '' ? null : (
          <path key={letter} d={linesBetween(alike)} stroke={letterStroke(letter)} strokeWidth="2" />
        ),
      )}
      {breaks.length > 0 && (
        <path
          d={breaks.map(({ x }) => `M${x - 8.7} 8.5l1.6-7M${x - 5.7} 8.5l1.6-7`).join('')}
          stroke="var(--warn)"
          strokeWidth="1.4"
          strokeLinecap="round"
        />
      )}
      {alikeBy(placed, ({ letter, isLive }) => `${letter ?? ''} ${isLive}`).map(([key, alike]) => (
        <Dots key={key} alike={alike} />
      ))}
    </svg>
  )
}

function place(nodes: readonly MiniThreadNode[]): readonly Placed[] {
  let x = 4 - step
  return nodes.map((node, index) => {
    x += step + (node.isBreak && index > 0 ? breakWidth : 0)
    return { ...node, x }
  })
}

function alikeBy(
  placed: readonly Placed[],
  keyOf: (node: Placed) => string,
): readonly (readonly [string, readonly Placed[]])[] {
  const keys = [...new Set(placed.map(keyOf))]
  return keys.map((key) => [key, placed.filter((node) => keyOf(node) === key)])
}

/** From each to the next of the same memory; none over a break. */
const linesBetween = (alike: readonly Placed[]): string =>
  alike
    .map((node, index) => {
      const before = alike[index - 1]
      return before && !node.isBreak ? `M${before.x} ${middle}H${node.x}` : ''
    })
    .join('')

function Dots({ alike }: { readonly alike: readonly Placed[] }) {
  const [first] = alike
  if (!first) return null
  const stroke = letterStroke(first.letter)
  const [radius, fill, line, lineWidth] = first.isLive
    ? [3.6, 'var(--surface)', 'var(--run)', 1.8]
    : [2.8, first.letter === null ? 'none' : stroke, stroke, 1]
  const circle = `a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`
  return (
    <path
      d={alike.map(({ x }) => `M${x - radius} ${middle}${circle}`).join('')}
      fill={fill}
      stroke={line}
      strokeWidth={lineWidth}
    />
  )
}
