import type { HandMade } from '@main/ports/hand-made-sessions'
import { changedInside, isRecord, recordAt, rekeyedFolder, rekeyedId, textAt, uuidPart } from '../hand-made'

/**
 * One folder for each session. Its file of events is all that a resume needs; what lies beside it is made anew, and
 * a damaged `workspace.yaml` would keep the CLI from starting without a word.
 */
export const copilotHandMade: HandMade = {
  kind: 'files',
  places: ['.copilot/session-state', 'session-state', ''],
  path: [new RegExp(`^${uuidPart}$`), /^events\.jsonl$/],
  beside: [],
  needed: [],
  isEssential: (record) => record['type'] === 'session.start',
  describe: (records) => {
    const start = records.find((record) => record['type'] === 'session.start')
    const asked = records.find((record) => record['type'] === 'user.message')
    return {
      title: asked ? textAt(recordAt(asked, 'data'), 'content') : null,
      workedIn: start ? textAt(recordAt(recordAt(start, 'data'), 'context'), 'cwd') : null,
    }
  },
  target: (_path, { toId }) => `${toId}/events.jsonl`,
  rekey: (record, change) => {
    if (record['type'] !== 'session.start' && record['type'] !== 'session.resume') return record
    const renamed = changedInside(record, 'data', { sessionId: rekeyedId(change) })
    const { data } = renamed
    if (!isRecord(data)) return renamed
    const folder = rekeyedFolder(change)
    return { ...renamed, data: changedInside(data, 'context', { cwd: folder, gitRoot: folder }) }
  },
}
