import { assertNever } from '@shared/assert'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { toolSummary } from '../tool-summary'
import { readLine, type CodexItem, type CodexLine } from './stream-lines'

/** Keeps what the agent said last, the last error that was told, and which calls are under way. */
export function createCodexParser(): StreamParser {
  let lastText = ''
  let lastError: string | null = null
  const open = new Set<string>()

  const ofItem = (item: CodexItem, step: 'started' | 'updated' | 'completed'): readonly AgentEvent[] => {
    const id = 'id' in item ? (item.id ?? null) : null
    if (step === 'updated') return []
    if (step === 'started') {
      if (id !== null) open.add(id)
      return begun(item)
    }
    if (item.type === 'agent_message') lastText = item.text
    // Some are told only once they are done.
    const wasTold = id !== null && open.delete(id)
    return [...(wasTold ? [] : begun(item)), ...done(item)]
  }

  const failed = (message: string): readonly AgentEvent[] => [
    ...(message === lastError ? [] : [{ kind: 'error', message } as const]),
    { kind: 'result', succeeded: false, text: message, deniedTools: [] },
  ]

  const eventsOf = (line: CodexLine): readonly AgentEvent[] => {
    switch (line.type) {
      case 'thread.started':
        return [{ kind: 'session', nativeId: line.thread_id }]
      case 'turn.started':
        return []
      case 'item.started':
        return ofItem(line.item, 'started')
      case 'item.updated':
        return ofItem(line.item, 'updated')
      case 'item.completed':
        return ofItem(line.item, 'completed')
      case 'turn.completed':
        return [...usageOf(line.usage), { kind: 'result', succeeded: true, text: lastText, deniedTools: [] }]
      case 'turn.failed':
        return failed(line.error.message)
      case 'error': {
        const { message } = line
        if (message.startsWith(again)) return [{ kind: 'retry', message, retryAfterMs: null }]
        lastError = message
        return [{ kind: 'error', message }]
      }
      default:
        return assertNever(line, 'line of the stream')
    }
  }

  return {
    parse(text) {
      if (text.trim() === '') return []
      const line = readLine(text)
      return line === null ? [{ kind: 'output', text }] : eventsOf(line)
    },
  }
}

/** How the message of an error begins that the CLI still tries to get over. */
const again = 'Reconnecting...'

/** What an item that takes a while is about, told when it begins. */
function begun(item: CodexItem): readonly AgentEvent[] {
  switch (item.type) {
    case 'command_execution':
      return [tool(item.id, 'shell', { command: plainCommand(item.command) })]
    case 'mcp_tool_call':
      return [tool(item.id, toolName(item), item.arguments)]
    case 'file_change':
      return [tool(item.id, 'edit', { path: item.changes[0]?.path ?? '', changes: item.changes })]
    case 'agent_message':
    case 'reasoning':
    case 'web_search':
    case 'todo_list':
    case 'error':
      return []
  }
}

function done(item: CodexItem): readonly AgentEvent[] {
  switch (item.type) {
    case 'agent_message':
      return item.text.trim() === '' ? [] : [{ kind: 'text', text: item.text }]
    case 'reasoning':
      return item.text.trim() === '' ? [] : [{ kind: 'thought', text: item.text }]
    case 'todo_list':
      return [{ kind: 'thought', text: item.items.map(todoWords).join('\n') }]
    case 'command_execution':
      return [result(item.id, hasFailed(item), item.aggregated_output ?? '')]
    case 'mcp_tool_call':
      return [result(item.id, hasFailed(item), item.error?.message ?? written(item.result))]
    case 'file_change':
      return [result(item.id, hasFailed(item), item.changes.map(changeWords).join('\n'))]
    case 'web_search':
      return [tool(item.id, 'web_search', { query: item.query ?? '' })]
    // Something that the CLI goes on without: a model that it does not know, a transcript that it cannot save.
    case 'error':
      return [{ kind: 'warning', message: item.message }]
  }
}

const tool = (id: string | null | undefined, name: string, input: unknown): AgentEvent => ({
  kind: 'tool',
  name,
  summary: toolSummary(input),
  input: written(input),
  callId: id ?? null,
})

const result = (id: string | null | undefined, failed: boolean, output: string): AgentEvent => ({
  kind: 'tool_result',
  callId: id ?? null,
  failed,
  output,
})

const hasFailed = ({ status }: { readonly status?: string | null | undefined }): boolean =>
  status === 'failed' || status === 'declined'

const written = (value: unknown): string =>
  value === undefined || value === null ? '' : neutraliseControls(JSON.stringify(value))

const toolName = ({ server, tool: name }: Extract<CodexItem, { type: 'mcp_tool_call' }>): string =>
  server === undefined || server === null || server === '' ? name : `${server}.${name}`

const changeWords = ({ path, kind }: { readonly path: string; readonly kind?: string | null | undefined }) =>
  `${kind ?? 'change'} ${path}`

const todoWords = ({
  text,
  completed,
}: {
  readonly text: string
  readonly completed?: boolean | null | undefined
}) => `${completed === true ? '[x]' : '[ ]'} ${text}`

/** The command as the agent wrote it, without the shell that the CLI puts around it. */
const plainCommand = (command: string): string => /^\S*sh -lc '([\s\S]*)'$/.exec(command)?.[1] ?? command

type Usage = Extract<CodexLine, { type: 'turn.completed' }>['usage']

/** The CLI tells what the whole thread used so far, and neither a price nor how full the context is. */
function usageOf(usage: Usage): readonly AgentEvent[] {
  if (usage === null || usage === undefined) return []
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = usage
  if (input === null && output === null) return []
  return [
    {
      kind: 'usage',
      // What the CLI counts as input holds what came from the cache.
      inputTokens: input === null ? null : Math.max(0, input - (cached ?? 0)),
      cachedTokens: cached,
      outputTokens: output,
      costUsd: null,
      contextUsed: null,
      contextMax: null,
      turns: null,
      isOfSession: true,
    },
  ]
}
