import { z } from 'zod'
import type { AgentLogin } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'

/*
 * Whether OpenCode can sign in, by reading its login file and nothing else. One file holds the logins of all providers.
 */

const secret = z.string().min(1)
const entrySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('api'), key: secret }),
  z.object({ type: z.literal('wellknown'), key: secret, token: secret }),
  z.object({
    type: z.literal('oauth'),
    refresh: z.string().nullish(),
    access: secret,
    /** Epoch milliseconds; zero where it does not end. */
    expires: z.number().nullish(),
  }),
])
type Entry = z.infer<typeof entrySchema>

export const opencodeLogin: AgentLogin = {
  files: [{ name: 'auth.json', target: '/home/agent/.local/share/opencode/auth.json' }],
  provider: 'opencode',
  environment: [
    'OPENCODE_API_KEY',
    'OPENCODE_AUTH_CONTENT',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'OPENROUTER_API_KEY',
  ],
  read: (content, now) => {
    const parsed = z.record(z.string(), z.unknown()).safeParse(parseJsonLine(content))
    const entries = Object.values(parsed.success ? parsed.data : {}).flatMap((value): readonly Entry[] => {
      const entry = entrySchema.safeParse(value)
      return entry.success ? [entry.data] : []
    })
    if (entries.length === 0) return 'missing'
    return entries.some((entry) => isUsable(entry, now)) ? 'found' : 'expired'
  },
}

/** The CLI gets itself a new token as long as it may. */
function isUsable(entry: Entry, now: number): boolean {
  if (entry.type !== 'oauth') return true
  const { expires, refresh } = entry
  const isOver = typeof expires === 'number' && expires !== 0 && expires <= now
  return !isOver || (typeof refresh === 'string' && refresh !== '')
}
