import type { CommandError } from '../../lib/engine-client'

type AgentsError =
  | CommandError<'app.checkAgents'>
  | CommandError<'app.checkInstallation'>
  | CommandError<'settings.set'>

/** Why installations could not be checked, or an image not be built or put to use. */
export function agentsProblem(error: AgentsError): string {
  switch (error.type) {
    case 'build_failed':
      // A step is said once, also where the message begins with it.
      return `Step "${error.step}" failed: ${error.message.replace(`${error.step}: `, '')}`
    case 'cancelled':
      return 'The build was cancelled.'
    case 'docker_unreachable':
    case 'image_gone':
    case 'invalid_value':
    case 'wrong_scope':
    case 'consent_needed':
    case 'owner_gone':
    case 'storage_failed':
    case 'invalid_input':
      return error.message
    case 'not_found':
      return `${error.what} is missing.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
  }
}
