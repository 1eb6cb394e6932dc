import { assertNever } from '@shared/assert'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { toolSummary } from '../tool-summary'
import { readLine, type CopilotLine, type ToolEndLine } from './stream-lines'

type UsageEvent = Extract<AgentEvent, { kind: 'usage' }>
type Context = Pick<UsageEvent, 'contextUsed' | 'contextMax'>

const unknownContext: Context = { contextUsed: null, contextMax: null }

/**
 * Keeps the names of tools, which their ends do not repeat, why the last call of the model failed, how full the context
 * is, and the last text, since the final line has none. The session's id stands in the final line only.
 */
export function createCopilotParser(): StreamParser {
  const toolNames = new Map<string, string>()
  const deniedTools = new Set<string>()
  let lastFailure = ''
  let text = ''
  let turns = 0
  let context = unknownContext

  const usage = (more: Partial<UsageEvent> = {}): UsageEvent => ({
    kind: 'usage',
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    costUsd: null,
    ...context,
    turns: null,
    ...more,
  })

  const fill = (contextUsed: number | null, contextMax: number | null): readonly AgentEvent[] => {
    if (contextUsed === null || contextUsed === 0 || contextUsed === context.contextUsed) return []
    context = { contextUsed, contextMax: contextMax ?? context.contextMax }
    return [usage()]
  }

  const ofToolEnd = ({ data }: ToolEndLine): readonly AgentEvent[] => {
    const callId = data.toolCallId ?? null
    const name = (callId === null ? undefined : toolNames.get(callId)) ?? 'A tool'
    const isDenied = data.error?.code === 'denied'
    if (isDenied) deniedTools.add(name)
    const failed = !data.success || (data.shellExecution?.exitCode ?? 0) !== 0
    const output = data.error?.message ?? data.result?.content ?? ''
    const metrics = data.toolTelemetry?.metrics
    return [
      { kind: 'tool_result', callId, failed, output },
      ...(isDenied ? [{ kind: 'warning', message: `${name} was denied: ${output}` } as const] : []),
      ...fill(metrics?.context_current_tokens ?? null, metrics?.context_token_limit ?? null),
    ]
  }

  const ofMessage = (content: string, isSubagent: boolean): readonly AgentEvent[] => {
    if (content.trim() === '') return []
    if (isSubagent) return [{ kind: 'thought', text: content }]
    text = content
    return [{ kind: 'text', text }]
  }

  const ofLine = (line: CopilotLine): readonly AgentEvent[] => {
    switch (line.type) {
      case 'assistant.message':
        return ofMessage(line.data.content, typeof line.agentId === 'string')
      case 'assistant.message_delta':
        return line.data.deltaContent === '' || typeof line.agentId === 'string'
          ? []
          : [{ kind: 'partial', text: line.data.deltaContent }]
      case 'assistant.reasoning':
        return line.data.content.trim() === '' ? [] : [{ kind: 'thought', text: line.data.content }]
      case 'assistant.turn_start':
        if (typeof line.agentId === 'string') return []
        turns += 1
        return [usage({ turns })]
      case 'model.call_failure':
        lastFailure = failureWords(line.data.statusCode, line.data.errorMessage ?? null)
        return []
      case 'assistant.turn_retry':
        return [
          {
            kind: 'retry',
            message: `${lastFailure || line.data.reason}; it is asked again.`,
            retryAfterMs: null,
          },
        ]
      case 'tool.execution_start': {
        const { toolCallId, toolName, arguments: input } = line.data
        if (typeof toolCallId === 'string') toolNames.set(toolCallId, toolName)
        return [
          {
            kind: 'tool',
            name: toolName,
            summary: toolSummary(input),
            input: input === undefined ? '' : neutraliseControls(JSON.stringify(input)),
            callId: toolCallId ?? null,
          },
        ]
      }
      case 'tool.execution_complete':
        return ofToolEnd(line)
      case 'session.usage_info':
        return typeof line.agentId === 'string' ? [] : fill(line.data.currentTokens, line.data.tokenLimit)
      case 'session.compaction_complete':
        return line.data.success === false
          ? []
          : [{ kind: 'warning', message: 'The context was full: the conversation so far was summed up.' }]
      case 'session.warning':
        return [{ kind: 'warning', message: line.data.message }]
      case 'session.error':
        text = line.data.message
        return [{ kind: 'error', message: line.data.message }]
      case 'result':
        return [
          { kind: 'session', nativeId: line.sessionId },
          { kind: 'result', succeeded: line.exitCode === 0, text, deniedTools: [...deniedTools] },
        ]
      default:
        return assertNever(line, 'line of the stream')
    }
  }

  return {
    parse(told) {
      if (told.trim() === '') return []
      const line = readLine(told)
      if (line === null) return [{ kind: 'output', text: told }]
      return line === 'silent' ? [] : ofLine(line)
    },
  }
}

function failureWords(status: number | null, message: string | null): string {
  const what = status === null ? 'The provider cannot be reached' : `The provider answered ${status}`
  const why = message === null ? '' : ` (${messageIn(message)})`
  return `${what}${why}`
}

/** The provider's own words are JSON, or a text in quotes. */
function messageIn(told: string): string {
  const inside = /^"(.*)"$/s.exec(told)?.[1] ?? /"message":"((?:[^"\\]|\\.)*)"/.exec(told)?.[1] ?? told
  return inside.slice(0, 300)
}
