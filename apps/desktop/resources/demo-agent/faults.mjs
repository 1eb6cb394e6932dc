// Failures on demand, for tests: DEMO_FAULT in the environment, or a line `DEMO_FAULT=name` in the prompt.
import { spawn } from 'node:child_process'
import { Refusal } from './session.mjs'

export function faultOf(prompt) {
  return process.env.DEMO_FAULT ?? /^DEMO_FAULT=([a-z_]+)$/m.exec(prompt)?.[1] ?? null
}

/** Before a session is resumed. */
export function failResume(fault, id) {
  if (fault === 'refuse') throw new Refusal(`session ${id} is archived and cannot be resumed`, 6)
  if (fault === 'unknown_option') throw new Refusal("unknown option '--resume'", 2)
}

/** After the first event, before the work. */
export async function failAtWork(fault, emit) {
  switch (fault) {
    case 'hang':
      await new Promise(() => setInterval(() => {}, 60_000))
      break
    case 'hang_hard':
      process.removeAllListeners('SIGTERM')
      process.on('SIGTERM', () => {})
      await new Promise(() => setInterval(() => {}, 60_000))
      break
    case 'crash':
      throw new Error('the demo agent was told to crash')
    case 'provider_error':
      emit({ type: 'error', message: '529 overloaded', retryable: true, retry_after_ms: 100 })
      throw new Refusal('provider error: 529 overloaded', 1)
    case 'account_limit':
      throw new Refusal('usage limit reached; try again in 3600 seconds', 1)
    case 'login':
      throw new Refusal('not logged in; run alfred-demo-agent login', 1)
    case 'oom': {
      const held = []
      for (;;) held.push(Buffer.alloc(10_000_000, 1))
    }
    case 'big_line':
      emit({ type: 'text', text: 'x'.repeat(10_000_000) })
      break
    case 'garbage':
      process.stdout.write(
        '\u001b[31mnot json\u001b[0m \u0000 \u001b]0;title\u0007\n{"type":"text"\n[1,2]\n{"type":7}\n',
      )
      break
    case 'background':
      spawn('sleep', ['1000'], { stdio: 'ignore', detached: true }).unref()
      break
  }
}
