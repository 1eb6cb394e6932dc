import assert from 'node:assert/strict'
import { createStore } from '@main/adapters/db/create-store'
import { createSystemRandomness } from '@main/adapters/system/system-randomness'
import type { ImageInfo } from '@main/ports/container-runtime'
import type { ResumeChoice } from '@shared/model/ids'
import type { Phase } from '@shared/model/words'
import { testDocker, value } from '../../integration/support/engine-bench'
import { openEngineDatabase } from '../../integration/support/engine-database'
import { createMatrixBench, type MatrixIssue } from '../../integration/support/matrix-bench'
import {
  ambiguous,
  fallbackFor,
  noTimeLeft,
  offCases,
  otherModel,
  otherProvider,
  without,
  type MatrixCase,
} from '../../integration/support/matrix-cases'
import { replayedCli, type ReplayedName } from '../../integration/support/replayed-clis'
import { newerVersion, titles } from './reasons-titles'

/*
 * A program of its own: `node reasons-home.js FOLDER DEMO` makes a data folder whose issues tell of every way in which a
 * session can begin or be none, each by the engine itself. What the engine stored of a run is held to what its tests
 * say of the same case. DEMO is a data folder in which the demo was played.
 */

const [, , dataFolder = '', demoHome = ''] = process.argv
const bench = await createMatrixBench(
  ['demo', 'fake', 'claude-code', 'codex', 'opencode', 'copilot', 'api'],
  dataFolder,
  { versions: { copilot: newerVersion.said }, images: await imagesOfDemo() },
)

/** Those of the demo: of one that is not there, the window would forget which CLIs were found in it. */
async function imagesOfDemo(): Promise<Record<string, ImageInfo>> {
  const db = openEngineDatabase(demoHome)
  try {
    const found: Record<string, ImageInfo> = {}
    for (const { tag } of createStore(db, createSystemRandomness()).images.list()) {
      const image = value(await testDocker().findImage(tag))
      if (image !== null) found[tag] = image
    }
    return found
  } finally {
    db.close()
  }
}

interface Story {
  readonly issue: MatrixIssue
  /** A run that remembers as it was recorded. */
  run(choice?: ResumeChoice, phase?: Phase): Promise<void>
  runIn(how: MatrixCase, choice?: { readonly stays: boolean }): Promise<void>
}

/** An issue with its first run. */
async function story(name: ReplayedName, title: string): Promise<Story> {
  const issue = await bench.newIssue(name, title)
  return storyOf(issue, name)
}

function storyOf(issue: MatrixIssue, name: ReplayedName): Story {
  const [phase = 'development'] = replayedCli(name).create().phases ?? []
  const memory = async (): Promise<string | null> =>
    (await bench.sessions(issue)).findLast((row) => row.adapter === name && row.nativeSessionId !== null)
      ?.nativeSessionId ?? null
  return {
    issue,
    run: async (choice = 'auto', of = phase) => void (await bench.run(issue, of, choice)),
    async runIn({ begin, end, told }, { stays } = { stays: false }) {
      const { run, session } = told(name, await memory())
      const scene = { bench, issue, name }
      await begin(scene)
      const { row } = await bench.run(issue, phase)
      assert.partialDeepStrictEqual(row, run)
      assert.partialDeepStrictEqual((await bench.sessions(issue)).at(-1), session)
      if (!stays) await end(scene)
    },
  }
}

{
  const { run, runIn } = await story('demo', titles.beginnings)
  for (const reason of ['state_missing', 'unsupported_version', 'refused'] as const)
    await runIn(fallbackFor(reason))
  await runIn(ambiguous)
  await run('fresh')
}
{
  const { issue, run, runIn } = await story('claude-code', titles.changes)
  await runIn(otherModel)
  await runIn(otherProvider)
  await bench.setting(issue, 'project', 'AGENT_ADAPTER', 'codex')
  await run()
  await bench.setting(issue, 'project', 'AGENT_ADAPTER', 'claude-code')
  await run()
}
{
  const { run, runIn } = await story('claude-code', titles.ends)
  await runIn(noTimeLeft)
  await run()
  await runIn(ambiguous)
  await run()
}
{
  const { issue, run, runIn } = await story('codex', titles.off)
  await runIn(offCases['switched off for the project'])
  await runIn(offCases['switched off for the organization'])
  await runIn(offCases['a CLI that cannot resume'])
  await runIn(offCases['the host runner'])
  await run()
  const mergeRequest = { ...issue, mailboxId: bench.addMergeRequest(issue) }
  await storyOf(mergeRequest, 'codex').runIn(without('merge_request'))
}
{
  const { run, runIn } = await story('opencode', titles.overlap)
  await run()
  await runIn(offCases['a credential at the state'], { stays: true })
}
{
  const { runIn } = await story('copilot', titles.version)
  await runIn(without('version_not_verified'))
}
{
  const { runIn } = await story('api', titles.api)
  await runIn(without('adapter_cannot_resume'))
}
await bench.stop()
