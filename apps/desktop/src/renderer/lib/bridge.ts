import type { AlfredBridge } from '@shared/contract/shell-bridge'

declare global {
  interface Window {
    /** Put there by the preload; nothing else reaches outside the window. */
    readonly alfred: AlfredBridge
  }
}

export const bridge = (): AlfredBridge => window.alfred
