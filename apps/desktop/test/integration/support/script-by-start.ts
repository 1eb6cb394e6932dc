import type { FakeScript } from '@main/adapters/agents/fake/fake-agent-program'
import type { StartRequest } from '@main/ports/agent-adapter'

const working: FakeScript = {
  fresh: [
    { print: { type: 'init', session_id: '$ID' } },
    { save: '{}' },
    { print: { type: 'result', is_error: false, text: 'The plan.' } },
  ],
}

/**
 * A script for each start of the CLI, in order; after the last one, starts work. A start may be described several
 * times, and each asks for another session than the one before.
 */
export function scriptByStart(...scripts: readonly FakeScript[]) {
  const asked: StartRequest['session'][] = []
  return {
    asked,
    script: (request: StartRequest): FakeScript => {
      const last = asked.at(-1)
      if (last === undefined || JSON.stringify(last) !== JSON.stringify(request.session))
        asked.push(request.session)
      return scripts[asked.length - 1] ?? working
    },
  }
}
