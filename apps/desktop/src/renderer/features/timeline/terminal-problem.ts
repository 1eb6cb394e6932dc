import type { AdapterId, Phase } from '@shared/model/words'
import { phaseWords } from '@shared/phase-words'
import { runErrorText } from '../../lib/run-error-text'

interface Problem {
  readonly type: string
  readonly message?: string
  readonly command?: string
  readonly runId?: number
  readonly phase?: Phase
  readonly adapter?: AdapterId
}

/** Why no terminal was opened on a run, and the command that goes on from there; null: none does. */
export function terminalProblem(
  runId: number,
  error: Problem,
): { readonly text: string; readonly command: string | null } {
  const attach = `alfred attach ${runId}`
  switch (error.type) {
    case 'no_terminal':
      return {
        text: `${error.message ?? ''} The command for a terminal of yours: ${error.command ?? attach}`,
        command: error.command ?? attach,
      }
    case 'already_running': {
      const phase = error.phase === undefined ? '' : `, ${phaseWords[error.phase].toLowerCase()},`
      return {
        text: `Run ${error.runId ?? ''}${phase} is using this session. Wait for its end, or stop it and go on in a terminal: ${attach} --take-over`,
        command: `${attach} --take-over`,
      }
    }
    case 'login_missing':
      return { text: error.message ?? '', command: `alfred agents login ${error.adapter ?? ''}` }
    case 'state_missing':
      return { text: error.message ?? '', command: `${attach} --fresh` }
    default:
      return { text: runErrorText(error), command: null }
  }
}
