import type { ForgeProblem } from '@shared/contract/forges'
import { err } from '@shared/result'
import type { ForgejoFailure } from '../status-errors'

/*
 * What a failed request means for somebody who is connecting the forge.
 */

type Problem = { readonly ok: false; readonly error: ForgeProblem }

export const problem = (type: ForgeProblem['type'], message: string): Problem => err({ type, message })

/** `where`: the forge, as people call it. */
export function problemOf(failure: ForgejoFailure, where: string): Problem {
  const { type, status, code, serverMessage } = failure
  const said = serverMessage === null ? '' : ` It says: ${serverMessage}`
  if (code !== null || type === 'unreachable') return unreachable(failure, where)
  if (type === 'unauthorized') return problem('token_refused', `${where} does not accept this token.`)
  if (type === 'rate_limited')
    return problem('rate_limited', `${where} wants fewer requests. Try again in a few minutes.`)
  if (status === 403) return problem('forbidden', `${where} does not allow this.${said}`)
  if (status === 423) return problem('project_unfit', `${where} has it archived or locked.`)
  if (status === 404) return problem('project_unfit', `${where} does not show this to the account.`)
  if (status !== null && status >= 300 && status < 400) {
    return problem(
      'address',
      `${where} points elsewhere (${status}${failure.location === null ? '' : `, ${failure.location}`}). Give the address that it points to.`,
    )
  }
  if (status !== null && status >= 500)
    return problem(
      'unexpected_answer',
      `${where} had an error of its own (${status}). Try again in a few minutes; the forge's log tells more.${said}`,
    )
  return problem(
    'unexpected_answer',
    `${where} gave an answer that Alfred cannot use${status === null ? '' : ` (${status})`}.${said}`,
  )
}

function unreachable({ code, status, message }: ForgejoFailure, where: string): Problem {
  if (status !== null)
    return problem('unreachable', `${where} is not available now (${status}). Try again in a few minutes.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem('unreachable', `There is no host of this name: ${where}.`)
  if (code === 'ECONNREFUSED') return problem('unreachable', `Nothing answers at ${where}.`)
  if (code === 'ALFRED_TIMEOUT') return problem('unreachable', `${where} does not answer in time.`)
  if (code === 'ERR_INVALID_CHAR')
    return problem('token_refused', 'The token holds characters that no token has.')
  if (code !== null && /CERT|SIGNATURE|ISSUER|SELF_SIGNED|HOSTNAME_MISMATCH/.test(code)) {
    return problem(
      'certificate',
      `The certificate of ${where} is not trusted (${code}). If it comes from an authority of your own, give its certificate as CA file.`,
    )
  }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL') === true)
    return problem('certificate', `${where} does not speak TLS there (${code}). Is it http:// instead?`)
  return problem('unreachable', message)
}
