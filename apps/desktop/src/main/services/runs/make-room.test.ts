import { describe, expect, it } from 'vitest'
import { endedStart } from '../../../../test/contract/recorded-samples'
import { createCodexAdapter } from '../../adapters/agents/codex/codex-adapter'
import { createOpencodeAdapter } from '../../adapters/agents/opencode/opencode-adapter'
import type { PutAside } from '../../ports/session-state'
import { makeRoomForSession } from './make-room'

const statePath = '/data/.agent-sessions/pier-1-issue-1/opencode'
const adapter = createOpencodeAdapter()
const torn = endedStart({ stderrTail: 'Error: Unexpected error\ndatabase disk image is malformed\n' })

/** What a run says, and what was asked to be put aside. */
async function after(done: PutAside, ended = torn, by = adapter) {
  const asked: string[][] = []
  const states = {
    putAside(...words: string[]) {
      asked.push(words)
      return Promise.resolve(done)
    },
  }
  return { words: await makeRoomForSession(states, { adapter: by, statePath }, ended), asked }
}

describe('a run whose CLI cannot read its sessions', () => {
  it.each([
    [
      { type: 'put_aside' },
      `What opencode kept of its sessions cannot be read. It is kept beside ${statePath}.`,
    ],
    [{ type: 'not_there' }, null],
    [
      { type: 'whole' },
      `opencode says that it cannot read its sessions, but their database is whole: it is left as it is, in ${statePath}.`,
    ],
    [
      { type: 'not_looked_at', why: 'ENOSPC' },
      `opencode says that it cannot read its sessions. Whether that is so could not be found out (ENOSPC), so they are left as they are. To begin anew, rename ${statePath} and retry.`,
    ],
    [
      { type: 'not_renamed', why: 'EPERM' },
      `What opencode kept of its sessions cannot be read, and could not be put aside (EPERM). To begin anew, rename or remove ${statePath} and retry.`,
    ],
  ] as const)('says what became of them: %j', async (done, words) => {
    expect(await after(done)).toEqual({ words, asked: [[statePath, 'opencode.db']] })
  })

  it('touches nothing where another failure is told, or where sessions are files', async () => {
    const other = endedStart({ stderrTail: 'Error: Session not found\n' })
    expect(await after({ type: 'put_aside' }, other)).toEqual({ words: null, asked: [] })
    expect(await after({ type: 'put_aside' }, torn, createCodexAdapter())).toEqual({ words: null, asked: [] })
  })
})
