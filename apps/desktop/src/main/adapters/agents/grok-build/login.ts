import { z } from 'zod'
import type { AgentLogin } from '@main/ports/agent-adapter'
import { parseJsonLine } from '../json-line'
import { quiet } from './grok-build-command'

/*
 * Whether Grok Build can sign in, by reading its login file and nothing else. The file holds a token for each server
 * that it was signed in at; what it says of their ends is not known for sure, so a token that is there counts.
 */

const fileSchema = z.record(z.string(), z.unknown())

export const grokBuildLogin: AgentLogin = {
  files: [{ name: 'auth.json', target: '/home/agent/.grok/auth.json' }],
  provider: 'xai',
  environment: ['XAI_API_KEY'],
  read: (content) => {
    const parsed = fileSchema.safeParse(parseJsonLine(content))
    return parsed.success && Object.keys(parsed.data).length > 0 ? 'found' : 'missing'
  },
  signIn: { argv: ['grok', 'login', '--device-auth'], environment: quiet },
}
