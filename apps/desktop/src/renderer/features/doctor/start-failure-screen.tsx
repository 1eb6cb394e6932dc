import type { StartFailure } from '@shared/contract/shell-bridge'

/** Instead of everything else, when `shell.startFailure` is not null: why there is no engine, and what to do. */
export function StartFailureScreen({ failure }: { readonly failure: StartFailure }) {
  return <main>{failure.type}</main>
}
