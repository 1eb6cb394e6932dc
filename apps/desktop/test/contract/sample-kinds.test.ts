import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentAdapter } from '@main/ports/agent-adapter'

/*
 * Every kind of line in every recorded stream is one that somebody decided about: it gives events, or it is known to
 * have nothing to show. A kind that is in no table fails here, and so does one that nobody recorded.
 */

interface Kinds {
  readonly create: () => AgentAdapter
  readonly shown: readonly string[]
  readonly silent: readonly string[]
}

const kindsByCli: Readonly<Record<string, Kinds>> = {
  'claude-code': {
    create: createClaudeCodeAdapter,
    shown: [
      'system/init',
      'system/api_retry',
      'system/permission_denied',
      'system/compact_boundary',
      'assistant: text',
      'assistant: thinking',
      'assistant: tool_use',
      'user: tool_result',
      'user: text',
      'result/success',
      'result/error_during_execution',
      'result/error_max_turns',
      'result/error_max_budget_usd',
      'stream_event',
    ],
    silent: ['system/session_title_changed', 'system/status', 'system/thinking_tokens'],
  },
  codex: {
    create: createCodexAdapter,
    shown: [
      'thread.started',
      'item.started: command_execution',
      'item.started: file_change',
      'item.completed: agent_message',
      'item.completed: reasoning',
      'item.completed: command_execution',
      'item.completed: file_change',
      'item.completed: error',
      'turn.completed',
      'turn.failed',
      'error',
    ],
    silent: ['turn.started'],
  },
  opencode: {
    create: createOpencodeAdapter,
    shown: ['step_start', 'text', 'tool_use', 'step_finish', 'error'],
    silent: [],
  },
  copilot: {
    create: createCopilotAdapter,
    shown: [
      'assistant.message',
      'assistant.message_delta',
      // Counted.
      'assistant.turn_start',
      'assistant.turn_retry',
      'tool.execution_start',
      'tool.execution_complete',
      'session.error',
      'result',
    ],
    silent: [
      // Kept for the words of the retry that follows.
      'model.call_failure',
      // Parts of what comes as a whole later.
      'assistant.message_start',
      'assistant.tool_call_delta',
      'tool.shell_output',
      'tool.execution_partial_result',
      // The run's own prompt, and states of the CLI's own.
      'user.message',
      'assistant.turn_end',
      'assistant.idle',
      'model.call_start',
      'model.call_finished',
      'model.call_final_result',
      'session.info',
      'session.skills_loaded',
      'session.mcp_servers_loaded',
      'session.tools_updated',
      'session.background_tasks_changed',
    ],
  },
  // In the format that it is asked for; its others are never read.
  'grok-build': {
    create: createGrokBuildAdapter,
    shown: [
      'system/init',
      'assistant: text',
      'assistant: tool_use',
      'user: tool_result',
      'result/success',
      'result/error_during_execution',
    ],
    silent: [],
  },
}

interface RecordedLine {
  readonly type: string
  readonly subtype?: string
  readonly item?: { readonly type: string }
  /** Of an assistant or a user; an error has a text in its place. */
  readonly message?: string | { readonly content: string | readonly { readonly type: string }[] }
}

/** A line of a message has the kinds of its parts. */
function kindsOf({ type, subtype, item, message }: RecordedLine): readonly string[] {
  if (item !== undefined) return [`${type}: ${item.type}`]
  if (typeof message === 'object' && typeof message.content !== 'string')
    return message.content.map((part) => `${type}: ${part.type}`)
  return [subtype === undefined ? type : `${type}/${subtype}`]
}

/** How many events the recorded lines of each kind gave at the most. */
function recordedKinds(folderName: string, { create }: Kinds): ReadonlyMap<string, number> {
  const folder = join(import.meta.dirname, '../fixtures', folderName)
  const events = new Map<string, number>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const parser = create().createParser()
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const given = parser.parse(neutraliseControls(line)).length
      // A stream that was cut ends in half a line.
      if (!line.endsWith('}')) continue
      for (const kind of kindsOf(JSON.parse(line) as RecordedLine))
        events.set(kind, Math.max(events.get(kind) ?? 0, given))
    }
  }
  return events
}

describe.each(Object.entries(kindsByCli))('the recorded streams of %s', (folder, kinds) => {
  const recorded = recordedKinds(folder, kinds)
  const namesWith = (isShown: boolean): readonly string[] =>
    [...recorded].filter(([, events]) => events > 0 === isShown).map(([kind]) => kind)

  it('show every kind of line that says something', () =>
    expect(namesWith(true).toSorted()).toEqual(kinds.shown.toSorted()))
  it('pass over no other kind than those that are known to say nothing', () =>
    expect(namesWith(false).toSorted()).toEqual(kinds.silent.toSorted()))
})
