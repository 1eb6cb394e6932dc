import type { AgentLogin } from '@main/ports/agent-adapter'

/** A key and nothing else. With the other provider it is `OPENAI_API_KEY`, and servers of one's own may want none. */
export const apiLogin: AgentLogin = {
  files: [],
  provider: 'anthropic',
  environment: ['ANTHROPIC_API_KEY'],
  read: () => 'missing',
}
