import { z } from 'zod'
import type { AgentLogin } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'
import { quiet } from './opencode-command'

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
    const ends = entriesOf(content).map(endOf)
    if (ends.length === 0) return 'missing'
    return ends.some((end) => end === null || end > now) ? 'found' : 'expired'
  },
  endsAt: (content) => {
    // It is signed in as long as one of them is.
    const ends = entriesOf(content).map(endOf)
    const known = ends.filter((end) => end !== null)
    return known.length === 0 || known.length < ends.length ? null : Math.max(...known)
  },
  signIn: { argv: ['opencode', 'auth', 'login'], environment: quiet },
}

function entriesOf(content: string): readonly Entry[] {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJsonLine(content))
  return Object.values(parsed.success ? parsed.data : {}).flatMap((value): readonly Entry[] => {
    const entry = entrySchema.safeParse(value)
    return entry.success ? [entry.data] : []
  })
}

/** null: never, or the CLI gets itself a new token. */
function endOf(entry: Entry): number | null {
  if (entry.type !== 'oauth') return null
  const { expires, refresh } = entry
  const canRenew = typeof refresh === 'string' && refresh !== ''
  return canRenew || typeof expires !== 'number' || expires === 0 ? null : expires
}
