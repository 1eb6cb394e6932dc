import { describe, expect, it } from 'vitest'
import { createRedact } from './redact'
import { charactersOver } from './safe-cut'
import { withoutParts } from './without-parts'

const clean = withoutParts(createRedact(() => ['correct-horse-battery']))
const lineOf = {
  'claude-code': (text: string) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    session_id: 's',
  }),
  'claude-code, thinking': (thinking: string) => ({ delta: { type: 'thinking_delta', thinking }, uuid: 'u' }),
  'claude-code, a tool': (text: string) => ({ delta: { type: 'input_json_delta', partial_json: text } }),
  copilot: (deltaContent: string) => ({
    type: 'assistant.message_delta',
    data: { messageId: 'm', deltaContent },
    id: 'i',
  }),
  'copilot, a tool': (inputDelta: string) => ({ type: 'assistant.tool_call_delta', data: { inputDelta } }),
  'json lines': (text: string) => ({ type: 'partial', text }),
} as const

describe('a stream in which a text comes in pieces', () => {
  it.each(Object.entries(lineOf))('holds no secret of %s', (_, made) => {
    const lines = ['It is \\"correct-', 'horse-bat', 'tery"\n'].map((text) => JSON.stringify(made(text)))
    const kept = clean(lines.join('\n'))
    expect(kept).not.toMatch(/correct|horse|tery/)
    // every line is there, and reads
    expect(kept.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(lines.map(() => made('')))
    // a line that was cut off
    expect(clean(lines[0]?.slice(0, -12) ?? '')).not.toContain('correct')
  })

  it('keeps the whole of it, and what only quotes such a line', () => {
    const whole = JSON.stringify({ type: 'text', text: `a ${JSON.stringify(lineOf.copilot('b'))}` })
    expect(clean(whole)).toBe(whole)
  })

  it('can be cut where both sides say the same', () => {
    const text = `${JSON.stringify(lineOf.copilot('correct-horse '.repeat(20)))}\n`.repeat(20)
    for (let at = 0; at < text.length; at += 37) {
      const over = charactersOver(text.slice(0, at), text.slice(at), clean)
      expect(clean(text.slice(0, at - over)) + clean(text.slice(at - over))).toBe(clean(text))
    }
  })
})
