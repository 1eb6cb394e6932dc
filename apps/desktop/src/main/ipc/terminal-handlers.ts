import { err, ok } from '@shared/result'
import type { terminalsContract } from '@shared/contract/terminals'
import type { SignInService } from '../services/terminals/sign-in-service'
import type { TerminalHub } from '../services/terminals/terminal-hub'
import type { TerminalService } from '../services/terminals/terminal-service'
import type { HandlersOf } from './dispatch'

const answer = (isAttached: boolean) => (isAttached ? ok(null) : err({ type: 'not_attached' } as const))

export function createTerminalHandlers(
  terminals: TerminalService,
  hub: TerminalHub,
  signIns: SignInService,
): HandlersOf<typeof terminalsContract> {
  return {
    open: ({ runId, resumeChoice, takeOver }) => terminals.open(runId, resumeChoice, takeOver),
    openProgram: ({ runId }) => terminals.openProgram(runId),
    attach: ({ runId, who, columns, rows, takeOver, watches }, listener) =>
      watches
        ? terminals.watch(runId, listener)
        : terminals.attach(runId, { who, size: { columns, rows }, takesOver: takeOver, listener }),
    signIn: ({ adapter, who, columns, rows }, listener) =>
      signIns.signIn(adapter, { who, size: { columns, rows }, listener }),
    openSignInProgram: ({ adapter }) => signIns.openProgram(adapter),
    type: ({ attachmentId, bytes }) => {
      const taken = hub.type(attachmentId, Buffer.from(bytes, 'base64'))
      return taken === false ? err({ type: 'busy' }) : answer(taken !== null)
    },
    resize: ({ attachmentId, columns, rows }) => answer(hub.resize(attachmentId, { columns, rows })),
    taken: ({ attachmentId, bytes }) => answer(hub.taken(attachmentId, bytes)),
  }
}
