import type { TrackerError } from './contract/tracker'

/** What went wrong with the local forge, as one sentence. */
export function trackerErrorMessage(error: TrackerError): string {
  switch (error.type) {
    case 'not_found':
      return `There is no ${error.what}.`
    case 'merge_conflicts':
    case 'conflict':
    case 'invalid':
    case 'git_failed':
    case 'storage_failed':
      return error.message
  }
}
