import type { ForgeProblem } from '@shared/contract/forges'
import type { CommonError } from '@shared/contract/define'

/** Why something with a forge did not work, for people. */
export function forgeProblem(error: ForgeProblem | CommonError): string {
  switch (error.type) {
    case 'unexpected':
      return 'incidentId' in error
        ? `Alfred itself failed. The log has it under ${error.incidentId}.`
        : 'Alfred itself failed.'
    case 'not_found':
      return `${error.what} is missing.`
    default:
      return error.message
  }
}
