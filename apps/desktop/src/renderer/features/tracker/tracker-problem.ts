import type { CommonError } from '@shared/contract/define'
import type { TrackerError } from '@shared/contract/tracker'
import { trackerErrorMessage } from '@shared/tracker-words'

/** Why the built-in forge did not do it, as one sentence. */
export function trackerProblem(error: TrackerError | CommonError): string {
  switch (error.type) {
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
    case 'invalid_input':
    case 'owner_gone':
    case 'storage_failed':
      return error.message
    default:
      return trackerErrorMessage(error)
  }
}
