import type { AdapterId } from './words'

/**
 * The one CLI that tells the id of its session in its last line only: what proves its resume is the growth of the
 * session's own file.
 */
export const tellsIdLast = (adapter: AdapterId): boolean => adapter === 'copilot'
