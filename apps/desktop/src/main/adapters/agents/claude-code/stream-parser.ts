import { assertNever } from '@shared/assert'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { contextOf, figuresOf, noFigures, type RunSoFar } from './stream-figures'
import {
  readLine,
  type AssistantLine,
  type ContentBlock,
  type PartLine,
  type ResultLine,
  type SystemLine,
  type UserLine,
} from './stream-lines'
import { toolSummary } from '../tool-summary'

/** Of messages that the CLI made up itself. */
const synthetic = '<synthetic>'

/** Keeps the model, how full its context is, how often it answered, and which tools were denied. */
export function createClaudeCodeParser(): StreamParser {
  let soFar: RunSoFar = { model: null, contextUsed: null }
  let turns = 0
  let lastAnswer: string | null = null
  const denied = new Set<string>()

  const ofSystem = (line: SystemLine): readonly AgentEvent[] => {
    switch (line.subtype) {
      case 'init':
        soFar = { ...soFar, model: line.model ?? null }
        return [
          { kind: 'session', nativeId: line.session_id },
          ...line.mcp_servers
            .filter(({ status }) => status === 'failed')
            .map(({ name }): AgentEvent => ({
              kind: 'warning',
              message: `The MCP server ${name} did not start.`,
            })),
        ]
      case 'api_retry':
        return [{ kind: 'retry', message: retryWords(line), retryAfterMs: line.retry_delay_ms }]
      case 'permission_denied':
        denied.add(line.tool_name)
        return [
          {
            kind: 'warning',
            message: `${line.tool_name} was denied${line.message === null ? '.' : `: ${line.message}`}`,
          },
        ]
      case 'compact_boundary':
        return [{ kind: 'warning', message: 'The context was full: the conversation so far was summed up.' }]
      case 'other':
        return []
      default:
        return assertNever(line, 'line of the system')
    }
  }

  const ofAssistant = (line: AssistantLine): readonly AgentEvent[] => {
    const { message } = line
    const isError = typeof line.error === 'string'
    if (isError || message.model === synthetic) {
      return texts(message.content).map((text) => ({ kind: isError ? 'error' : 'warning', message: text }))
    }
    const isSubagent = typeof line.parent_tool_use_id === 'string'
    const answer = message.content.flatMap((block) => ofAnswer(block, isSubagent))
    return isSubagent ? answer : [...fill(message), ...answer]
  }

  /** Told at once, since a run that is cut off has no final line. One answer comes in a line for each of its parts. */
  const fill = ({ id, usage }: AssistantLine['message']): readonly AgentEvent[] => {
    const isNext = typeof id === 'string' && id !== lastAnswer
    if (isNext) {
      turns += 1
      lastAnswer = id
    }
    const contextUsed = usage === null ? null : contextOf(usage)
    const isFuller = contextUsed !== null && contextUsed !== soFar.contextUsed
    if (!isNext && !isFuller) return []
    if (isFuller) soFar = { ...soFar, contextUsed }
    return [{ kind: 'usage', ...noFigures, contextUsed, turns: turns === 0 ? null : turns }]
  }

  const ofResult = (line: ResultLine): readonly AgentEvent[] => {
    const figures = figuresOf(line, soFar)
    const errors = line.errors ?? []
    const text = line.result ?? errors.join('\n')
    const succeeded = line.subtype === 'success' && !line.is_error
    const untold = (line.permission_denials ?? [])
      .map(({ tool_name }) => tool_name)
      .filter((tool) => !denied.has(tool))
    for (const tool of untold) denied.add(tool)
    return [
      ...[...new Set(untold)].map((tool): AgentEvent => ({
        kind: 'warning',
        message: `${tool} was denied.`,
      })),
      ...(figures === null ? [] : [figures]),
      ...errors.map((message): AgentEvent => ({ kind: 'error', message })),
      { kind: 'result', succeeded, text, deniedTools: [...denied] },
    ]
  }

  return {
    parse(text) {
      if (text.trim() === '') return []
      const line = readLine(text)
      if (line === null) return [{ kind: 'output', text }]
      switch (line.type) {
        case 'system':
          return ofSystem(line)
        case 'assistant':
          return ofAssistant(line)
        case 'user':
          return ofUser(line)
        case 'result':
          return ofResult(line)
        case 'stream_event':
          return ofPart(line)
        // Read at the end, when the account's limit ended the run.
        case 'rate_limit_event':
        case 'silent':
          return []
        default:
          return assertNever(line, 'line of the stream')
      }
    },
  }
}

/** A subagent's words are no part of the answer. */
function ofPart({ event, parent_tool_use_id: parent }: PartLine): readonly AgentEvent[] {
  const text = event.type === 'content_block_delta' ? (event.delta?.text ?? '') : ''
  return text === '' || typeof parent === 'string' ? [] : [{ kind: 'partial', text }]
}

/** What a subagent says is no answer of the agent: it is shown, and never taken for its last word. */
function ofAnswer(block: ContentBlock, isSubagent: boolean): readonly AgentEvent[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ kind: isSubagent ? 'thought' : 'text', text: block.text }]
    case 'thinking':
      return block.thinking.trim() === '' ? [] : [{ kind: 'thought', text: block.thinking }]
    case 'tool_use':
      return [
        {
          kind: 'tool',
          name: block.name,
          summary: toolSummary(block.input),
          input: block.input === undefined ? '' : neutraliseControls(JSON.stringify(block.input)),
          callId: block.id ?? null,
        },
      ]
    case 'tool_result':
    case 'other':
      return []
  }
}

function ofUser(line: UserLine): readonly AgentEvent[] {
  return line.message.content.flatMap((block): AgentEvent[] => {
    if (block.type === 'text' && block.text.startsWith('[Request interrupted'))
      return [{ kind: 'warning', message: block.text }]
    if (block.type !== 'tool_result') return []
    return [
      {
        kind: 'tool_result',
        callId: block.tool_use_id ?? null,
        failed: block.is_error,
        output: outputText(block.content),
      },
    ]
  })
}

/** A tool answers with a text or with parts, of which some are pictures. */
function outputText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts = content.map((part: unknown): string => {
    const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown }
    if (typeof text === 'string') return text
    return typeof type === 'string' ? `[${type}]` : ''
  })
  return parts.join('\n')
}

const texts = (content: readonly ContentBlock[]): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

function retryWords(line: Extract<SystemLine, { subtype: 'api_retry' }>): string {
  const what =
    line.error_status === null
      ? 'The provider cannot be reached'
      : `The provider answered ${line.error_status}`
  const why = line.error === null ? '' : ` (${line.error})`
  const which = line.attempt === null ? '' : `; try ${line.attempt} of ${line.max_retries ?? 'some'}`
  return `${what}${why}${which}.`
}
