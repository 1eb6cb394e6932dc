import type { Logger } from '@main/ports/logger'

export const silentLogger: Logger = {
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLogger,
}
