import { expect, it } from 'vitest'
import type { ChatMessageRow } from '@shared/contract/chats'
import { turnsWith } from './find-messages'

const said = (runId: number, text: string): ChatMessageRow => ({
  role: 'person',
  runId: runId as ChatMessageRow['runId'],
  state: 'sent',
  text,
  at: 0,
  attachments: [],
})
const messages = [said(1, 'Why the Jitter?'), said(1, 'Because of the cap.'), said(2, 'And the cap?')]

it.each([
  ['cap', [1, 2]],
  ['  JITTER  cap ', [1]],
  ['umlaut', []],
])('finds the turns in which all words were said: %s', (text, found) =>
  expect([...(turnsWith(messages, text) ?? [])]).toEqual(found),
)

it('looks for nothing where nothing is asked', () => expect(turnsWith(messages, '  ')).toBeNull())
