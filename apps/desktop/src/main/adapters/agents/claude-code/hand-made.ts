import type { HandMade, JsonRecord } from '@main/ports/hand-made-sessions'
import { changed, isRecord, recordAt, rekeyedFolder, textAt, uuidPart } from '../hand-made'

/** The name that the CLI gives the folder of /workspace. */
export const sessionFolder = '-workspace'

/** One file for each session, in a folder that is named after the one that the CLI worked in; nearly every line names both. */
export const claudeCodeHandMade: HandMade = {
  kind: 'files',
  places: ['.claude/projects', 'projects', ''],
  // An absolute path, of which all but letters and digits became a hyphen.
  path: [/^(?:-|[A-Za-z]--)/, new RegExp(`^${uuidPart}\\.jsonl$`)],
  beside: [],
  needed: [],
  isEssential: (record) => record['type'] === 'user' || record['type'] === 'assistant',
  describe: (records) => ({ title: titleOf(records), workedIn: firstText(records, 'cwd') }),
  target: (_path, { toId }) => `${sessionFolder}/${toId}.jsonl`,
  // A session that went on from another one may hold lines that name that one; the CLI goes by the file's name.
  rekey: (record, change) => changed(record, { sessionId: () => change.toId, cwd: rekeyedFolder(change) }),
}

function titleOf(records: readonly JsonRecord[]): string | null {
  const last = (type: string, key: string): string | null => {
    const record = records.findLast((one) => one['type'] === type)
    return record === undefined ? null : textAt(record, key)
  }
  return (
    last('custom-title', 'customTitle') ??
    last('ai-title', 'aiTitle') ??
    last('summary', 'summary') ??
    firstWords(records)
  )
}

/** What a person said first; commands and notes of the CLI itself begin with a tag. */
function firstWords(records: readonly JsonRecord[]): string | null {
  for (const record of records) {
    if (record['type'] !== 'user' || record['isMeta'] === true) continue
    const { content } = recordAt(record, 'message')
    const words =
      typeof content === 'string'
        ? content
        : firstText(Array.isArray(content) ? content.filter(isRecord) : [], 'text')
    if (words !== null && !words.startsWith('<')) return words
  }
  return null
}

const firstText = (records: readonly JsonRecord[], key: string): string | null =>
  records.map((record) => textAt(record, key)).find((text) => text !== null) ?? null
