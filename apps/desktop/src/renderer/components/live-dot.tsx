import { classNames } from '../lib/class-names'

/** Something runs. The ring breathes once in two seconds, unless motion is reduced or the window hidden. */
export function LiveDot({ className }: { readonly className?: string }) {
  return <span className={classNames('live-dot', className)} aria-hidden="true" />
}
