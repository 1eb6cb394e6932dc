import { keyLabel } from '../lib/keyboard/key-label'

/** A key as people read it on their keyboard: `Ctrl K`, on macOS `⌘ K`. */
export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd aria-hidden="true">{keyLabel(keys)}</kbd>
}
