import { z } from 'zod'
import type { ForgeProblem } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import type { ForgeIdentity } from '@main/ports/forge-connector'
import type { ForgejoAnswer, ForgejoTransport } from '../transport'
import type { ForgejoFailure } from '../status-errors'
import { isTooOld, kindOfVersion, oldestSupported } from '../capabilities'
import { problem, problemOf } from './problems'

const versionSchema = z.object({ version: z.string().min(1).max(200) })

/** Which server answers there. The token is only shown where everybody is turned away without one. */
export async function identify(
  transport: ForgejoTransport,
  where: string,
  hasToken: boolean,
): Promise<Result<ForgeIdentity, ForgeProblem>> {
  const anonymous = await transport.get('/version', { isAnonymous: true })
  const answer = isClosed(anonymous) && hasToken ? await transport.get('/version') : anonymous
  if (!answer.ok) {
    if (isClosed(answer) && !hasToken)
      return problem('token_missing', `${where} answers nobody without a token. Give the token first.`)
    return isNoSuchApi(answer.error) ? whatElse(transport, where) : problemOf(answer.error, where)
  }
  const parsed = versionSchema.safeParse(answer.value.body)
  if (!parsed.success) return whatElse(transport, where)
  const { version } = parsed.data
  const kind = kindOfVersion(version)
  const name = kind === 'gitea' ? 'Gitea' : 'Forgejo'
  if (isTooOld(version))
    return problem(
      'unsupported',
      `${where} is ${name} ${version}; Alfred needs ${name} ${oldestSupported[kind].join('.')} or later.`,
    )
  return ok({ kind, version, clockDifferenceMs: answer.value.clockDifferenceMs })
}

const isClosed = (answer: Result<ForgejoAnswer, ForgejoFailure>): boolean =>
  !answer.ok && (answer.error.status === 401 || answer.error.status === 403)

/** Something answers, and not as Gitea and Forgejo do. */
const isNoSuchApi = ({ status, code }: ForgejoFailure): boolean =>
  code === null && status !== null && (status === 404 || status === 405 || (status >= 200 && status < 300))

async function whatElse(
  transport: ForgejoTransport,
  where: string,
): Promise<{ readonly ok: false; readonly error: ForgeProblem }> {
  if (/(^|\.)github\.com$/.test(new URL(transport.baseUrl).hostname))
    return problem('unsupported', 'Alfred cannot connect GitHub yet, only Gitea and Forgejo.')
  if (/(^|\.)gitlab\.com$/.test(new URL(transport.baseUrl).hostname))
    return problem('unsupported', 'Alfred cannot connect GitLab yet, only Gitea and Forgejo.')
  return problem(
    'not_a_forge',
    `Something answers at ${where}, but not as Gitea or Forgejo do. If the forge lies below a path, give it too: https://host/path.`,
  )
}
