import { describe, expect, it } from 'vitest'
import { createApiAdapter } from '@main/adapters/agents/api/api-adapter'
import { createClaudeCodeAdapter } from '@main/adapters/agents/claude-code/claude-code-adapter'
import { createDemoAdapter } from '@main/adapters/agents/demo/demo-adapter'
import { defineAdapter } from '@main/adapters/agents/define-adapter'
import { createFakeAdapter } from '@main/adapters/agents/fake/fake-adapter'
import { createCopilotAdapter } from '@main/adapters/agents/copilot/copilot-adapter'
import { createGrokBuildAdapter } from '@main/adapters/agents/grok-build/grok-build-adapter'
import { createOpencodeAdapter } from '@main/adapters/agents/opencode/opencode-adapter'
import { createAgentAdapters } from '@main/adapters/agents/agent-adapters'
import type { LoginState } from '@main/ports/agent-adapter'
import { describeAgentAdapter } from './agent-adapter.contract'

const id = '11111111-1111-4111-8111-111111111111'
const sessionLine = JSON.stringify({
  type: 'init',
  session_id: id,
  model: 'demo-1',
  version: '1.0.0',
  resumed: false,
  cwd: '/workspace',
})
const lines = [
  ['{"type":"text","text":"text-to-show"}', 'text'],
  ['{"type":"thought","text":"text-to-show"}', 'thought'],
  [
    '{"type":"tool","id":"tool-1","name":"write","summary":"text-to-show","input":{"path":"text-to-show"}}',
    'tool',
  ],
  ['{"type":"tool_result","id":"tool-1","failed":true,"output":"text-to-show"}', 'tool_result'],
  [
    '{"type":"usage","input_tokens":14,"cached_tokens":0,"output_tokens":12,"cost_usd":0,"context_used":14,"context_max":200000,"turns":1}',
    'usage',
  ],
  ['{"type":"usage"}', 'usage'],
  ['{"type":"retry","message":"text-to-show","retry_after_ms":100}', 'retry'],
  ['{"type":"warning","message":"text-to-show"}', 'warning'],
  ['{"type":"error","message":"529 overloaded","retryable":true,"retry_after_ms":100}', 'error'],
  ['{"type":"result","is_error":false,"text":"text-to-show","denied_tools":[]}', 'result'],
  ['npm warn text-to-show', 'output'],
  ['{"type":"text"}', 'output'],
] as const

const claudeAnswer = (block: object): string =>
  JSON.stringify({ type: 'assistant', message: { id: 'msg_1', content: [block] }, parent_tool_use_id: null })
const claudeToolResult = (content: unknown): string =>
  JSON.stringify({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  })

describeAgentAdapter({
  adapter: createDemoAdapter(),
  id,
  versionOutput: ['alfred-demo-agent 1.0.0', '1.0.0'],
  sessionLine,
  lines,
})
describeAgentAdapter({
  adapter: createFakeAdapter(),
  id,
  versionOutput: ['fake-agent 1.0.0', '1.0.0'],
  sessionLine,
  lines,
})

describeAgentAdapter({
  adapter: createApiAdapter({ program: { 'alfred-api-agent.mjs': 'the program' } }),
  id,
  versionOutput: ['alfred-api-agent 1.0.0', '1.0.0'],
  sessionLine: null,
  lines,
})

describeAgentAdapter({
  adapter: createClaudeCodeAdapter(),
  id,
  versionOutput: ['2.1.332 (Claude Code)', '2.1.332'],
  sessionLine: JSON.stringify({ type: 'system', subtype: 'init', session_id: id, model: 'claude-opus-5-5' }),
  lines: [
    [claudeAnswer({ type: 'text', text: 'text-to-show' }), 'text'],
    [claudeAnswer({ type: 'thinking', thinking: 'text-to-show' }), 'thought'],
    [
      claudeAnswer({
        type: 'tool_use',
        id: 'toolu_1',
        name: 'text-to-show',
        input: { command: 'text-to-show' },
      }),
      'tool',
    ],
    [claudeToolResult('text-to-show'), 'tool_result'],
    [claudeToolResult([{ type: 'text', text: 'text-to-show' }]), 'tool_result'],
    ['{"type":"system","subtype":"api_retry","attempt":1,"error":"text-to-show"}', 'retry'],
    [
      '{"type":"system","subtype":"permission_denied","tool_name":"Bash","message":"text-to-show"}',
      'warning',
    ],
    ['{"type":"system","subtype":"compact_boundary"}', 'warning'],
    [
      '{"type":"assistant","message":{"content":[{"type":"text","text":"text-to-show"}]},"error":"server_error"}',
      'error',
    ],
    ['{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["text-to-show"]}', 'error'],
    ['{"type":"result","subtype":"success","is_error":false,"result":"text-to-show"}', 'result'],
    [
      '{"type":"result","subtype":"success","result":"","usage":{"input_tokens":3,"output_tokens":2}}',
      'usage',
    ],
    ['{"type":"of_another_version","text":"text-to-show"}', 'output'],
    ['text-to-show', 'output'],
  ],
})

const opencodeId = 'ses_dd88cb82bffevRdfFw1ELaLIKb'
const opencodeLine = (type: string, part: object): string =>
  JSON.stringify({ type, timestamp: 1, sessionID: opencodeId, part })

describeAgentAdapter({
  adapter: createOpencodeAdapter(),
  id: opencodeId,
  versionOutput: ['1.18.33', '1.18.33'],
  sessionLine: opencodeLine('step_start', { messageID: 'msg_1' }),
  lines: [
    [opencodeLine('text', { text: 'text-to-show' }), 'text'],
    [opencodeLine('reasoning', { text: 'text-to-show' }), 'thought'],
    [opencodeLine('text', { text: 'text-to-show', synthetic: true }), 'warning'],
    [
      opencodeLine('tool_use', {
        tool: 'text-to-show',
        callID: 'call_1',
        state: { status: 'completed', input: { command: 'text-to-show' }, output: 'text-to-show' },
      }),
      'tool',
    ],
    [
      opencodeLine('tool_use', { tool: 'x', state: { status: 'error', error: 'text-to-show' } }),
      'tool_result',
    ],
    [opencodeLine('step_finish', { reason: 'stop', tokens: { input: 3, output: 2 }, cost: 0.1 }), 'usage'],
    [opencodeLine('step_finish', { reason: 'stop' }), 'result'],
    [
      JSON.stringify({
        type: 'error',
        sessionID: opencodeId,
        error: { name: 'APIError', data: { message: 'text-to-show' } },
      }),
      'error',
    ],
    ['{"type":"of_another_version","text":"text-to-show"}', 'output'],
    ['text-to-show', 'output'],
  ],
})

const copilotLine = (type: string, data: object): string =>
  JSON.stringify({ type, data, id: 'x', timestamp: '2026-01-01T00:00:00Z' })

describeAgentAdapter({
  adapter: createCopilotAdapter(),
  id,
  versionOutput: ["GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.", '1.0.102'],
  sessionLine: JSON.stringify({ type: 'result', sessionId: id, exitCode: 0 }),
  lines: [
    [copilotLine('assistant.message', { content: 'text-to-show' }), 'text'],
    [copilotLine('assistant.reasoning', { content: 'text-to-show' }), 'thought'],
    [
      copilotLine('tool.execution_start', {
        toolCallId: 'call_1',
        toolName: 'text-to-show',
        arguments: { command: 'text-to-show' },
      }),
      'tool',
    ],
    [
      copilotLine('tool.execution_complete', { success: true, result: { content: 'text-to-show' } }),
      'tool_result',
    ],
    [
      copilotLine('tool.execution_complete', {
        success: false,
        error: { message: 'text-to-show', code: 'denied' },
      }),
      'warning',
    ],
    [copilotLine('session.usage_info', { currentTokens: 10, tokenLimit: 100 }), 'usage'],
    [copilotLine('session.compaction_complete', { success: true }), 'warning'],
    [copilotLine('session.warning', { message: 'text-to-show' }), 'warning'],
    [copilotLine('assistant.turn_retry', { reason: 'text-to-show' }), 'retry'],
    [copilotLine('session.error', { errorType: 'query', message: 'text-to-show' }), 'error'],
    [JSON.stringify({ type: 'result', sessionId: id, exitCode: 1 }), 'result'],
    ['{"type":"of_another_version","text":"text-to-show"}', 'output'],
    ['text-to-show', 'output'],
  ],
})

describeAgentAdapter({
  adapter: createGrokBuildAdapter(),
  id,
  versionOutput: ['grok 1.0.41 (4220f3b224a6)', '1.0.41'],
  sessionLine: JSON.stringify({ type: 'system', subtype: 'init', session_id: id, model: 'grok-4.6' }),
  lines: [
    [claudeAnswer({ type: 'text', text: 'text-to-show' }), 'text'],
    [claudeAnswer({ type: 'thinking', thinking: 'text-to-show' }), 'thought'],
    [claudeAnswer({ type: 'tool_use', id: 'call_1', name: 'text-to-show', input: {} }), 'tool'],
    [claudeToolResult('text-to-show'), 'tool_result'],
    [claudeToolResult(JSON.stringify({ output_for_prompt: 'text-to-show', exit_code: 1 })), 'tool_result'],
    [
      '{"type":"result","subtype":"error_during_execution","is_error":true,"errors":["text-to-show"]}',
      'error',
    ],
    ['{"type":"result","subtype":"success","is_error":false,"result":"text-to-show"}', 'result'],
    [
      '{"type":"result","subtype":"success","result":"","usage":{"input_tokens":3,"output_tokens":2}}',
      'usage',
    ],
    ['{"type":"of_another_version","text":"text-to-show"}', 'output'],
    ['text-to-show', 'output'],
  ],
})

describe('how the demo agent fails', () => {
  const adapter = createDemoAdapter()
  const ended = (exitCode: number, stderrTail: string, stdoutTail = '') => ({
    exitCode,
    stderrTail,
    stdoutTail,
    sawSession: null,
    result: null,
  })

  it.each([
    [4, `error: no session found with id ${id}`, 'state_missing'],
    [4, `error: session ${id} is empty`, 'state_missing'],
    [4, `error: session ${id} cannot be read: line 1 is no JSON`, 'state_missing'],
    [5, `error: session ${id} was written by a newer version (format 2)`, 'unsupported_version'],
    [2, "error: Unknown option '--resume'", 'unsupported_version'],
    [6, `error: session ${id} is archived and cannot be resumed`, 'refused'],
    [3, `error: session id ${id} is already in use`, null],
    [1, 'error: something else', null],
    [4, '', null],
  ])('exit code %i with “%s” means %s', (exitCode, stderr, expected) => {
    expect(adapter.resumeFailure(ended(exitCode, stderr))).toBe(expected)
  })

  it('tells errors of the provider apart', () => {
    const line = '{"type":"error","message":"529 overloaded","retryable":true,"retry_after_ms":100}'
    expect(adapter.providerFailure(ended(1, 'error: provider error: 529 overloaded', line))).toEqual({
      type: 'retryable',
      message: '529 overloaded',
      retryAfterMs: 100,
    })
    expect(
      adapter.providerFailure(ended(1, 'error: usage limit reached; try again in 3600 seconds')),
    ).toMatchObject({ type: 'account_limit', retryAfterMs: 3_600_000 })
    expect(adapter.providerFailure(ended(1, 'error: not logged in; run alfred-demo-agent login'))?.type).toBe(
      'login',
    )
    expect(adapter.providerFailure(ended(0, 'error: provider error: 529 overloaded'))).toBeNull()
  })
})

describe('an adapter definition', () => {
  const aLogin = { provider: 'x', environment: [], read: (): LoginState => 'found' }
  const adapter = createDemoAdapter()
  it.each([
    ['resumable without a state path', { sessionStatePath: null }],
    ['a state path outside of home', { sessionStatePath: '/var/lib/demo' }],
    ['home itself as state path', { sessionStatePath: '/home/agent' }],
    ['a path with a detour', { sessionStatePath: '/home/agent/../root' }],
    ['scratch outside of home', { scratchPaths: ['/workspace/.demo'] }],
    [
      'a login that writes into two folders',
      {
        login: {
          files: [
            { name: 'x', target: '/home/agent/.demo/x' },
            { name: 'y', target: '/home/agent/.other/y' },
          ],
          ...aLogin,
          signIn: { argv: ['demo', 'login'], environment: {} },
        },
      },
    ],
    [
      'a login in the state',
      {
        login: {
          ...aLogin,
          files: [{ name: 'x', target: '/home/agent/.demo/sessions/login' }],
        },
      },
    ],
    ['a pattern that matches a part', { sessionIdPattern: /[0-9a-f]+/ }],
    ['a pattern that matches flags', { sessionIdPattern: /^[a-z-]+$/ }],
  ])('does not construct with %s', (_what, change) => {
    expect(() => defineAdapter({ ...adapter, ...change })).toThrow('adapter demo: ')
  })

  it('has an id of its own', () => {
    expect(() => createAgentAdapters([adapter, adapter])).toThrow('the same id')
    expect(createAgentAdapters([adapter]).find('demo')).toBe(adapter)
    expect(createAgentAdapters([adapter]).find('codex')).toBeNull()
  })
})
