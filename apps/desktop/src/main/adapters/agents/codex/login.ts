import { z } from 'zod'
import { parseJsonLine } from '../json-line'
import type { AgentLogin } from '@main/ports/agent-adapter'

/*
 * Whether Codex can sign in, by reading its login file and nothing else. Tokens are looked for, never returned.
 */

const someText = z.string().nullish().catch(null)
const loginSchema = z.object({
  OPENAI_API_KEY: someText,
  tokens: z.object({ access_token: someText, refresh_token: someText }).nullish().catch(null),
})

export const codexLogin: AgentLogin = {
  files: [{ name: 'auth.json', target: '/home/agent/.codex/auth.json' }],
  provider: 'openai',
  environment: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'],
  read: (content, now) => {
    const parsed = loginSchema.safeParse(parseJsonLine(content))
    if (!parsed.success) return 'missing'
    const { OPENAI_API_KEY: key, tokens } = parsed.data
    if (isThere(key)) return 'found'
    if (!isThere(tokens?.access_token)) return isThere(tokens?.refresh_token) ? 'found' : 'missing'
    const expiresAt = expiryOf(tokens?.access_token ?? '')
    if (expiresAt === null || expiresAt > now) return 'found'
    // The CLI gets itself a new one.
    return isThere(tokens?.refresh_token) ? 'found' : 'expired'
  },
  endsAt: (content) => {
    const parsed = loginSchema.safeParse(parseJsonLine(content))
    if (!parsed.success) return null
    const { OPENAI_API_KEY: key, tokens } = parsed.data
    // Neither a key nor what can be renewed ends by itself.
    return isThere(key) || isThere(tokens?.refresh_token) ? null : expiryOf(tokens?.access_token ?? '')
  },
  signIn: {
    argv: ['codex', 'login', '--device-auth', '-c', 'cli_auth_credentials_store="file"'],
    environment: {},
  },
}

const isThere = (text: string | null | undefined): boolean => typeof text === 'string' && text !== ''

const claimsSchema = z.object({ exp: z.number() })

/** When a token ends that says so itself (epoch ms); null for one that does not. Its signature is nobody's business. */
function expiryOf(token: string): number | null {
  const claims = claimsSchema.safeParse(
    parseJsonLine(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')),
  )
  return claims.success ? claims.data.exp * 1000 : null
}
