import { describe, expect, it } from 'vitest'
import { failureError } from '@main/adapters/git/git-errors'
import {
  readRecordedScene,
  recordedScenes,
  recordedServers,
  type RecordedGit,
} from '../fixtures/forge-recordings'

/*
 * Every git command that failed at a real forge means something to Alfred: what git wrote then, in our words.
 */

/** What was tried, as the recording tells it, and what it has to mean. */
const meanings: readonly (readonly [why: RegExp, type: string])[] = [
  [/server that is not there/, 'remote_unreachable'],
  [/old name|followRedirects|renamed repository/, 'remote_refused'],
  [/missing repository of|archived|read:repository only|read:issue only|public-only|token/, 'unauthorized'],
  [/without access|missing repository/, 'not_found'],
  [/not a fast-forward|machine-readable|lease that is stale|branch name (that is|below)/, 'moved'],
  [/./, 'remote_refused'],
]

const failed = recordedServers.flatMap((server) =>
  recordedScenes(server).flatMap((scene) =>
    readRecordedScene(server, scene).exchanges.flatMap(({ n, why, git }) =>
      git === undefined || git.exit === 0 || isNoFailure(git)
        ? []
        : [[`${server} ${scene} ${n}`, why ?? '', git] as const],
    ),
  ),
)

/** A branch that is not there is an answer; a name that git refuses is refused before git is asked. */
function isNoFailure({ args, exit }: RecordedGit): boolean {
  return (args.includes('ls-remote') && exit === 2) || args.some((arg) => arg.includes('a..b'))
}

describe('git at a recorded forge', () => {
  it('failed in many ways', () => {
    expect(failed.length).toBeGreaterThan(50)
  })

  it.each(failed)('%s: %s', (_, why, { stdout = '', stderr = '' }) => {
    const { type, message } = failureError(`${stdout}\n${stderr}`)
    const isProtected = /Not allowed to push to protected branch/.test(stderr)
    const wanted = isProtected ? 'remote_refused' : meanings.find(([pattern]) => pattern.test(why))?.[1]
    expect([type, message]).toEqual([wanted, message])
  })
})
