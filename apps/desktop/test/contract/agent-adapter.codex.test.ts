import { createCodexAdapter } from '@main/adapters/agents/codex/codex-adapter'
import { describeAgentAdapter } from './agent-adapter.contract'

const id = '01a227a5-df37-76c2-a883-a8c71c10dd0b'
const item = (type: string, fields: object): string =>
  JSON.stringify({ type: 'item.completed', item: { id: 'item_1', type, ...fields } })

describeAgentAdapter({
  adapter: createCodexAdapter(),
  id,
  versionOutput: ['codex-cli 0.171.0', '0.171.0'],
  sessionLine: JSON.stringify({ type: 'thread.started', thread_id: id }),
  lines: [
    [item('agent_message', { text: 'text-to-show' }), 'text'],
    [item('reasoning', { text: 'text-to-show' }), 'thought'],
    [item('todo_list', { items: [{ text: 'text-to-show', completed: true }] }), 'thought'],
    [item('command_execution', { command: 'text-to-show', aggregated_output: 'text-to-show' }), 'tool'],
    [item('command_execution', { command: 'text-to-show', exit_code: 3, status: 'failed' }), 'tool_result'],
    [item('file_change', { changes: [{ path: 'text-to-show', kind: 'add' }] }), 'tool_result'],
    [item('mcp_tool_call', { server: 'text-to-show', tool: 'text-to-show', arguments: ['x'] }), 'tool'],
    [item('mcp_tool_call', { tool: 'x', result: { content: 'text-to-show' } }), 'tool_result'],
    [item('web_search', { query: 'text-to-show' }), 'tool'],
    [item('error', { message: 'text-to-show' }), 'warning'],
    ['{"type":"error","message":"Reconnecting... 1/5 (text-to-show)"}', 'retry'],
    ['{"type":"error","message":"text-to-show"}', 'error'],
    ['{"type":"turn.failed","error":{"message":"text-to-show"}}', 'error'],
    ['{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":2}}', 'usage'],
    ['{"type":"turn.completed"}', 'result'],
    ['{"type":"of_another_version","text":"text-to-show"}', 'output'],
    ['text-to-show', 'output'],
  ],
})
