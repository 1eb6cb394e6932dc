import { assertNever } from '@shared/assert'
import { neutraliseControls } from '@main/core/stream/control-sequences'
import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { toolSummary } from '../tool-summary'
import { addStep, figuresOf, noSteps } from './stream-figures'
import { errorWords, readLine, type FinishLine, type ToolLine } from './stream-lines'

/** Reasons of a step after which the agent goes on by itself. */
const goesOn: ReadonlySet<string> = new Set(['tool-calls', 'unknown'])

const summedUp = 'The context was full: the conversation so far was summed up.'

/** What the CLI answers in the place of a tool that was not allowed. */
const denied =
  /^(?:The user rejected permission to use|The user has specified a rule which prevents you from using) this specific tool call/

/**
 * Keeps the session's id, since only a new one is news, the figures so far, since the CLI tells them step by step, and
 * the last text, since no line repeats it at the end.
 */
export function createOpencodeParser(): StreamParser {
  let sessionId: string | null = null
  let figures = noSteps
  let text = ''
  let begunMessage: string | null = null
  const deniedTools = new Set<string>()

  const begin = (messageId: string): readonly AgentEvent[] => {
    // The same message begins again: its answer broke off, and the CLI asked for it once more without a word.
    const isAgain = messageId === begunMessage
    begunMessage = messageId
    return isAgain
      ? [
          {
            kind: 'retry',
            message: 'The answer of the model broke off; it is asked again.',
            retryAfterMs: null,
          },
        ]
      : []
  }

  const ofTool = ({ part }: ToolLine): readonly AgentEvent[] => {
    const { tool, state } = part
    const callId = part.callID ?? null
    const failed = state.status === 'error' || (state.metadata?.exit ?? 0) !== 0
    const output = state.error ?? state.output ?? ''
    const isDenied = state.status === 'error' && denied.test(output)
    if (isDenied) deniedTools.add(tool)
    return [
      {
        kind: 'tool',
        name: tool,
        summary: toolSummary(state.input),
        input: state.input === undefined ? '' : neutraliseControls(JSON.stringify(state.input)),
        callId,
      },
      { kind: 'tool_result', callId, failed, output },
      ...(isDenied ? [{ kind: 'warning', message: `${tool} was denied.` } as const] : []),
    ]
  }

  const finish = ({ part }: FinishLine): readonly AgentEvent[] => {
    begunMessage = null
    figures = addStep(figures, part)
    const usage = figuresOf(figures)
    if (goesOn.has(part.reason)) return [usage]
    const succeeded = part.reason === 'stop'
    const told = succeeded ? text : `The answer of the model ended early (${part.reason}).`
    return [usage, { kind: 'result', succeeded, text: told, deniedTools: [...deniedTools] }]
  }

  const fail = (message: string): readonly AgentEvent[] => [
    { kind: 'error', message },
    { kind: 'result', succeeded: false, text: message, deniedTools: [...deniedTools] },
  ]

  const ofLine = (line: NonNullable<ReturnType<typeof readLine>>): readonly AgentEvent[] => {
    switch (line.type) {
      case 'step_start':
        return begin(line.part.messageID)
      case 'text':
        if (line.part.synthetic === true) return [{ kind: 'warning', message: summedUp }]
        if (line.part.text.trim() === '') return []
        text = line.part.text
        return [{ kind: 'text', text }]
      case 'reasoning':
        return line.part.text.trim() === '' ? [] : [{ kind: 'thought', text: line.part.text }]
      case 'tool_use':
        return ofTool(line)
      case 'step_finish':
        return finish(line)
      case 'error':
        return fail(errorWords(line.error))
      default:
        return assertNever(line, 'line of the stream')
    }
  }

  return {
    parse(told) {
      if (told.trim() === '') return []
      const line = readLine(told)
      if (line === null) return [{ kind: 'output', text: told }]
      const isNews = line.sessionID !== sessionId
      sessionId = line.sessionID
      const events = ofLine(line)
      return isNews ? [{ kind: 'session', nativeId: line.sessionID }, ...events] : events
    },
  }
}
