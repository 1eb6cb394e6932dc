import { z } from 'zod'
import type { AgentLogin } from '@main/ports/agent-adapter'
import { quiet } from './claude-code-command'

/*
 * Whether Claude Code can sign in, by reading its login file and nothing else. Tokens are looked for, never returned.
 */

const loginSchema = z.object({
  claudeAiOauth: z.object({
    accessToken: z.string().min(1),
    refreshToken: z.string().nullish(),
    /** Epoch milliseconds. */
    expiresAt: z.number().nullish(),
    refreshTokenExpiresAt: z.number().nullish(),
  }),
})

export const claudeCodeLogin: AgentLogin = {
  files: [{ name: '.credentials.json', target: '/home/agent/.claude/.credentials.json' }],
  provider: 'anthropic',
  environment: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_AUTH_TOKEN'],
  read: (content, now) => {
    const parsed = loginSchema.safeParse(parseJson(content))
    if (!parsed.success) return 'missing'
    const { expiresAt, refreshTokenExpiresAt } = parsed.data.claudeAiOauth
    const isOver = (time: number | null | undefined): boolean => typeof time === 'number' && time <= now
    if (!isOver(expiresAt)) return 'found'
    return canRenew(parsed.data) && !isOver(refreshTokenExpiresAt) ? 'found' : 'expired'
  },
  endsAt: (content) => {
    const parsed = loginSchema.safeParse(parseJson(content))
    if (!parsed.success) return null
    const { expiresAt, refreshTokenExpiresAt } = parsed.data.claudeAiOauth
    // What can be renewed ends with the right to renew it, and where that has no end, never.
    return (canRenew(parsed.data) ? refreshTokenExpiresAt : expiresAt) ?? null
  },
  signIn: { argv: ['claude', 'auth', 'login'], environment: quiet },
}

/** The CLI gets itself a new token as long as it may. */
const canRenew = ({ claudeAiOauth: { refreshToken } }: z.infer<typeof loginSchema>): boolean =>
  typeof refreshToken === 'string' && refreshToken !== ''

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
