import { isOptional, missingWords } from '@shared/forge-words'
import type { CheckedServer, CheckedToken } from './use-connect-draft'

/** Why the forge cannot be connected now; null when it can. */
export function connectReason(server: CheckedServer, token: CheckedToken): string | null {
  if (server.state === 'checking' || token.state === 'checking') return 'The forge is being asked.'
  if (server.state === 'unknown') return 'Give the address of the forge.'
  if (isAboutCertificates(server)) return 'The certificate is not trusted yet.'
  if (server.state === 'bad') return 'The address does not work yet.'
  if (server.value.isConnected) return `${server.value.name} is connected already.`
  if (token.state === 'unknown') return 'Give a token.'
  if (token.state === 'bad') return 'The token does not work yet.'
  const missing = missingWords(token.value.grants)
  if (missing !== '') return `The token lacks ${missing}.`
  return token.value.account === null ? 'The forge does not say whose token it is.' : null
}

/** Whether the token can do all that Alfred does with one. */
export const isStrong = (token: CheckedToken): boolean =>
  token.state === 'good' &&
  token.value.account !== null &&
  token.value.grants.every((grant) => grant.state !== 'missing' || isOptional(grant))

/** Whether what is wrong belongs to the CA file. */
export const isAboutCertificates = (server: CheckedServer): boolean =>
  server.state === 'bad' && (server.error.type === 'certificate' || server.error.type === 'certificate_file')
