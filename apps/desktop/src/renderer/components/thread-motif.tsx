export type ThreadMotifKind = 'none' | 'joined' | 'begins'

const dashed = { stroke: 'var(--thread-none)', strokeWidth: 1.8, strokeDasharray: '3 3' } as const
const solid = { stroke: 'var(--thread-a)', strokeWidth: 2 } as const

/** The thread line as a sign over an empty state: nothing there, all joined, or about to begin. */
export function ThreadMotif({ kind }: { readonly kind: ThreadMotifKind }) {
  const rest = kind === 'joined' ? solid : dashed
  return (
    <svg width="120" height="32" viewBox="0 0 120 32" fill="none" aria-hidden="true">
      <path
        d={kind === 'begins' ? 'M22 16H106' : 'M14 16H106'}
        stroke={kind === 'joined' ? 'var(--thread-a)' : 'var(--thread-none)'}
        strokeWidth={kind === 'joined' ? 2.5 : 2}
        strokeDasharray={kind === 'joined' ? undefined : '3 5'}
      />
      <circle cx="14" cy="16" r="6" fill="var(--surface)" {...(kind === 'begins' ? solid : rest)} />
      {kind !== 'begins' && (
        <>
          <circle cx="60" cy="16" r="6" fill="var(--surface)" {...rest} />
          <circle cx="106" cy="16" r="6" fill="var(--surface)" {...rest} />
        </>
      )}
    </svg>
  )
}
