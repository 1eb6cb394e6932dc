import { containerPaths } from '@main/core/sandbox/container-paths'
import type { HandMade } from '@main/ports/hand-made-sessions'
import {
  changed,
  changedInside,
  isRecord,
  recordAt,
  rekeyedFolder,
  rekeyedId,
  textAt,
  uuidPart,
} from '../hand-made'

/** The name that the CLI gives the folder of /workspace. */
export const sessionFolder = '%2Fworkspace'

/**
 * One folder for each session, in one that is named after the folder that the CLI worked in. What is said to the model
 * lies in one file, what the session is in another: without either it is not resumed, or remembers nothing.
 */
export const grokBuildHandMade: HandMade = {
  kind: 'files',
  places: ['.grok/sessions', 'sessions', ''],
  path: [/^(?:%2F|[A-Za-z]%3A)/, new RegExp(`^${uuidPart}$`), /^chat_history\.jsonl$/],
  beside: ['summary.json', 'updates.jsonl'],
  needed: ['summary.json'],
  isEssential: (record) => record['type'] === 'user',
  describe: (records) => {
    const summary = records.find((record) => isRecord(record['info']))
    if (summary === undefined) return { title: null, workedIn: null }
    return {
      title: textAt(summary, 'generated_title') ?? textAt(summary, 'session_summary'),
      workedIn: textAt(recordAt(summary, 'info'), 'cwd'),
    }
  },
  target: (path, { toId }) => `${sessionFolder}/${toId}/${path.split('/').at(-1) ?? ''}`,
  rekey: (record, change) => {
    const id = rekeyedId(change)
    const folder = rekeyedFolder(change)
    const summary = changedInside(record, 'info', { id, cwd: folder })
    if (summary !== record || isRecord(record['info'])) {
      return changed(summary, {
        git_root_dir: () => `${containerPaths.workspace}/`,
        grok_home: () => `${containerPaths.home}/.grok`,
      })
    }
    return changedInside(record, 'params', { sessionId: id })
  },
}
