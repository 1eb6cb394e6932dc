import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'
import type { AgentAdapter } from '@main/ports/agent-adapter'

/** What the agent says once nothing but a KILL ends its container. */
export const isDeaf = 'nobody hears a TERM here'

/**
 * The scripted adapter with an agent that commits, then holds the entry of its container: a stop ends in a KILL, and the
 * commit lies in the workspace only. Its first session, the analysis, does none of that.
 */
export function createDeafAdapter(): AgentAdapter {
  const begin: readonly FakeStep[] = [{ print: { type: 'init', session_id: '$ID' } }, { save: '{}' }]
  const script = {
    fresh: [...begin, { print: { type: 'result', is_error: false, text: 'The plan.' } }],
    resume: [
      ...begin,
      { shell: "echo x > a.txt && git add a.txt && git commit -qm 'Add a.txt'" },
      { shell: 'read -r _ _ _ entry _ < /proc/$PPID/stat && kill -STOP "$entry"' },
      { print: { type: 'text', text: isDeaf } },
      { pauseMs: 600_000 },
    ],
  }
  return createFakeAdapter({ script: () => script })
}
