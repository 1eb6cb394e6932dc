import { containerPaths } from '@main/core/sandbox/container-paths'
import type { HandMade, JsonRecord } from '@main/ports/hand-made-sessions'
import { changedInside, isRecord, recordAt, rekeyedFolder, rekeyedId, textAt, uuidPart } from '../hand-made'

/** One file for each session, in a folder of its day; its name and its first record hold the id. */
export const codexHandMade: HandMade = {
  kind: 'files',
  places: ['.codex/sessions', 'sessions', ''],
  path: [/^\d{4}$/, /^\d\d$/, /^\d\d$/, new RegExp(`^rollout-[0-9T-]+-${uuidPart}\\.jsonl$`)],
  beside: [],
  needed: [],
  isEssential: (record) => record['type'] === 'session_meta',
  describe: (records) => {
    const meta = records.find((record) => record['type'] === 'session_meta')
    return { title: firstWords(records), workedIn: meta ? textAt(recordAt(meta, 'payload'), 'cwd') : null }
  },
  target: (path, { fromId, toId }) => path.replace(fromId, toId),
  rekey: (record, change) => {
    // Names the provider again, and is written anew by the next turn.
    if (recordAt(record, 'payload')['type'] === 'thread_settings_applied') return null
    const id = rekeyedId(change)
    const renamed = changedInside(record, 'payload', {
      thread_id: id,
      session_id: id,
      ...(record['type'] === 'session_meta' ? { id } : {}),
      ...(isOfFolder(record) ? { cwd: rekeyedFolder(change) } : {}),
    })
    const payload = renamed['payload']
    return isOfFolder(record) && isRecord(payload) ? { ...renamed, payload: inSandbox(payload) } : renamed
  },
}

const isOfFolder = (record: JsonRecord): boolean =>
  record['type'] === 'session_meta' || record['type'] === 'turn_context'

/**
 * The CLI refuses to go on with a session of a provider that its configuration does not know; without a name it takes
 * the configured one.
 */
function inSandbox(payload: JsonRecord): JsonRecord {
  const rest = Object.fromEntries(Object.entries(payload).filter(([key]) => key !== 'model_provider'))
  return Array.isArray(rest['runtime_workspace_roots'])
    ? { ...rest, runtime_workspace_roots: [containerPaths.workspace] }
    : rest
}

/** What the CLI says in the person's name begins with a tag. */
function firstWords(records: readonly JsonRecord[]): string | null {
  for (const record of records) {
    const payload = recordAt(record, 'payload')
    if (record['type'] !== 'response_item' || payload['role'] !== 'user') continue
    const content: unknown[] = Array.isArray(payload['content']) ? payload['content'] : []
    const words = content
      .filter(isRecord)
      .map((part) => textAt(part, 'text'))
      .find((text) => text !== null)
    if (words !== undefined && words !== null && !words.startsWith('<')) return words
  }
  return null
}
