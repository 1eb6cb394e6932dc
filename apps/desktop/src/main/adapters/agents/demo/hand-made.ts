import type { HandMade } from '@main/ports/hand-made-sessions'
import { textAt, uuidPart } from '../hand-made'

/** One file for each session, a line for each turn; nothing in it names the session or a folder. */
export const demoHandMade: HandMade = {
  kind: 'files',
  places: ['.demo/sessions', 'sessions', ''],
  path: [new RegExp(`^${uuidPart}\\.jsonl$`)],
  beside: [],
  needed: [],
  isEssential: (record) => textAt(record, 'asked') !== null,
  describe: ([first]) => ({ title: first === undefined ? null : textAt(first, 'asked'), workedIn: null }),
  target: (_path, { toId }) => `${toId}.jsonl`,
  rekey: (record) => record,
}
