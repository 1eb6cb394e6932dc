import { z } from 'zod'
import type { AgentLogin } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'

/*
 * Whether Copilot can sign in, by reading its file and nothing else. The file holds a token only where the computer has no
 * keyring; it tells no time at which the token ends.
 */

const configSchema = z.object({ copilotTokens: z.record(z.string(), z.string().min(1)).optional() })

export const copilotLogin: AgentLogin = {
  files: [{ name: 'config.json', target: '/home/agent/.copilot/config.json' }],
  provider: 'github',
  environment: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
  read: (content) => {
    // The CLI begins the file with comments.
    const parsed = configSchema.safeParse(parseJsonLine(content.replace(/^\s*\/\/.*$/gm, '')))
    const tokens = parsed.success ? Object.keys(parsed.data.copilotTokens ?? {}) : []
    return tokens.length === 0 ? 'missing' : 'found'
  },
  signIn: {
    // Else it waits for a browser that comes back to a port of its own.
    argv: ['copilot', 'login', '--device-code'],
    environment: { COPILOT_AUTO_UPDATE: 'false' },
  },
}
