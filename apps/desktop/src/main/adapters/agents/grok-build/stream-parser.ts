import type { AgentEvent, StreamParser } from '@main/ports/agent-adapter'
import { createClaudeCodeParser } from '../claude-code/stream-parser'
import { readToolOutput } from './tool-output'

/*
 * `grok --output-format streaming-messages-json` prints what Claude Code prints, with tool outputs of its own. Of its
 * formats it is the one that tells the session's id in its first line, and answers in one piece.
 */

/** What stands in the place of an answer when a rule, or nobody, allowed the tool. */
const notAllowed =
  /^(?:Tool `([^`]+)` was not executed: Denied by|User cancelled the execution for tool `([^`]+)`)/

/** Keeps which tools were denied: only their outputs tell it. */
export function createGrokBuildParser(): StreamParser {
  const parser = createClaudeCodeParser()
  const deniedTools = new Set<string>()

  const ofToolResult = (event: Extract<AgentEvent, { kind: 'tool_result' }>): readonly AgentEvent[] => {
    const { text, failed } = readToolOutput(event.output)
    const shown: AgentEvent = { ...event, output: text, failed: event.failed || failed }
    const denied = event.failed ? notAllowed.exec(text) : null
    const name = denied?.[1] ?? denied?.[2]
    if (name === undefined) return [shown]
    deniedTools.add(name)
    return [shown, { kind: 'warning', message: `${name} was denied: ${text}` }]
  }

  return {
    parse: (line) =>
      parser.parse(line).flatMap((event): readonly AgentEvent[] => {
        switch (event.kind) {
          // A start that failed before it had a session tells an empty id.
          case 'session':
            return event.nativeId === '' ? [] : [event]
          case 'tool_result':
            return ofToolResult(event)
          case 'result':
            return [{ ...event, deniedTools: [...event.deniedTools, ...deniedTools] }]
          default:
            return [event]
        }
      }),
  }
}
