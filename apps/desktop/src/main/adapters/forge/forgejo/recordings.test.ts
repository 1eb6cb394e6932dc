import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  readRecordedScene,
  recordedScenes,
  recordedServers,
  type RecordedExchange,
} from '../../../../../test/fixtures/forge-recordings'
import type { Project } from '@shared/model/records'
import {
  scriptedProject,
  type ScriptedForgejo,
  scriptForgejo,
} from '../../../../../test/fakes/scripted-forgejo'
import { listProjects, readProject } from './connect/account-projects'
import { identify } from './connect/identify'
import * as parsers from './parsers'
import { failureOfStatus, readServerMessage } from './status-errors'
import { createWhereabouts } from './whereabouts'

/*
 * What real servers answered is accepted, and what they refused means something.
 */

const repository = String.raw`/api/v1/repos/[^/]+/[^/]+`

/** Which answers are read with which parser; the rest is not asked for by this adapter. */
const readers: readonly (readonly [method: string, path: RegExp, schema: z.ZodType])[] = [
  ['GET', /^\/api\/v1\/user$/, parsers.accountSchema],
  ['GET', /^\/api\/v1\/repos\/issues\/search$/, parsers.issuesSchema],
  ['GET', new RegExp(`^${repository}/issues$`), parsers.issuesSchema],
  ['POST', new RegExp(`^${repository}/issues$`), parsers.issueSchema],
  ['GET', new RegExp(String.raw`^${repository}/issues/\d+$`), parsers.issueSchema],
  ['PATCH', new RegExp(String.raw`^${repository}/issues/\d+$`), parsers.issueSchema],
  ['GET', new RegExp(`^${repository}/issues/comments$`), parsers.commentsSchema],
  ['GET', new RegExp(String.raw`^${repository}/issues/\d+/comments$`), parsers.commentsSchema],
  ['POST', new RegExp(String.raw`^${repository}/issues/\d+/comments$`), parsers.createdSchema],
  ['GET', new RegExp(String.raw`^${repository}/issues/\d+/timeline$`), parsers.timelineSchema],
  ['GET', new RegExp(`^(${repository}|/api/v1/orgs/[^/]+)/labels$`), parsers.labelsSchema],
  ['POST', new RegExp(String.raw`^${repository}/issues/\d+/labels$`), parsers.labelsSchema],
  ['PATCH', new RegExp(String.raw`^${repository}/pulls/\d+$`), parsers.pullSchema],
  ['GET', new RegExp(`^${repository}/branches/.+$`), parsers.branchSchema],
  ['GET', new RegExp(`^${repository}/pulls$`), parsers.pullsSchema],
  ['POST', new RegExp(`^${repository}/pulls$`), parsers.pullSchema],
  ['GET', new RegExp(String.raw`^${repository}/pulls/\d+$`), parsers.pullSchema],
  [
    'GET',
    new RegExp(String.raw`^${repository}/pulls/[^/]+/(?!comments|reviews|commits|files|merge)[^\d].*$`),
    parsers.pullSchema,
  ],
  ['GET', new RegExp(`^${repository}/commits/.+/status$`), parsers.statusPageSchema],
  ['GET', new RegExp(String.raw`^${repository}/pulls/\d+/reviews$`), parsers.reviewsSchema],
  [
    'GET',
    new RegExp(String.raw`^${repository}/pulls/\d+/reviews/\d+/comments$`),
    parsers.reviewCommentsSchema,
  ],
]

interface Answered {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly response: NonNullable<RecordedExchange['response']>
}

const answers: readonly Answered[] = recordedServers.flatMap((server) =>
  recordedScenes(server).flatMap((scene) =>
    readRecordedScene(server, scene, { base: 'https://forge.example' }).exchanges.flatMap(
      ({ n, request, response }) =>
        request === undefined || response === undefined
          ? []
          : [
              {
                name: `${server} ${scene} ${n}`,
                method: request.method,
                path: request.path.split('?')[0] ?? '',
                response,
              },
            ],
    ),
  ),
)

const schemaOf = ({ method, path }: Answered): z.ZodType | null =>
  readers.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? null

/** What is recorded of a request that is read where a forge is connected, or where a repository is looked up. */
const recordedOf = (path: RegExp): readonly Answered[] =>
  answers.filter((one) => one.method === 'GET' && one.response.status < 300 && path.test(one.path))

/** A forge that gives this answer to everything, and then no more. */
const answering = ({ response }: Answered): ScriptedForgejo => {
  let isFirst = true
  return scriptForgejo(() => {
    const body = isFirst ? response.body : []
    isFirst = false
    return { body }
  })
}

describe('the recordings of what a connection reads', () => {
  it('hold no version that is not understood', async () => {
    const found = recordedOf(/^\/api\/v1\/version$/)
    expect(found.length).toBeGreaterThan(15)
    for (const one of found) {
      const { transport } = answering(one).context
      expect([one.name, await identify(transport, 'f', false)]).toMatchObject([one.name, { ok: true }])
    }
  })

  it('hold no list of projects that is not understood', async () => {
    const found = recordedOf(/^\/api\/v1\/user\/repos$/)
    expect(found.length).toBeGreaterThan(4)
    for (const one of found) {
      const listed = await listProjects(answering(one).context.transport, 'f')
      expect([one.name, listed.ok && listed.value.projects.length]).toEqual([
        one.name,
        (one.response.body as readonly unknown[]).length,
      ])
    }
  })

  it('hold no repository that is not understood, by the connection and by a poll', async () => {
    const found = recordedOf(/^\/api\/v1\/(repos\/(?!issues\/)[^/]+\/[^/]+|repositories\/\d+)$/)
    expect(found.length).toBeGreaterThan(50)
    for (const one of found) {
      const { full_name: path } = one.response.body as { readonly full_name: string }
      const read = await readProject(answering(one).context.transport, 'f', path)
      expect([one.name, read]).toMatchObject([one.name, { ok: true, value: { path } }])
      const moved: string[] = []
      await createWhereabouts({
        ...answering(one).context,
        placeOf: () => ({ path: 'somewhere/else', remoteId: '1' }),
        moved: (_: Project, to: string) => void moved.push(to),
      }).follow(scriptedProject)
      expect([one.name, moved]).toEqual([one.name, [path]])
    }
  })
})

describe('the recordings', () => {
  it('hold answers of every kind that is read', () => {
    const isSuccess = (one: Answered): boolean => one.response.status < 300
    for (const [method, pattern] of readers) {
      const found = answers.filter((one) => one.method === method && pattern.test(one.path) && isSuccess(one))
      expect([method, pattern.source, found.length > 0]).toEqual([method, pattern.source, true])
    }
  })

  it('hold no answer that is refused', () => {
    const refused = answers.flatMap((one) => {
      const schema = one.response.status < 300 ? schemaOf(one) : null
      const read = schema?.safeParse(one.response.body)
      return read === undefined || read.success ? [] : [`${one.name} ${one.path}: ${read.error.message}`]
    })
    expect(refused).toEqual([])
  })

  it('hold no refusal without a meaning (surprise 32: JSON, an empty message, an empty body, text, HTML)', () => {
    const failed = answers.filter(({ response }) => response.status >= 300 && response.status !== 304)
    expect(failed.filter(({ response }) => response.status >= 400).length).toBeGreaterThan(600)
    const shapes = new Set<string>()
    for (const { name, response } of failed) {
      const { status, headers = {} } = response
      const text = response.text ?? JSON.stringify(response.body)
      const type = headers['Content-Type'] ?? ''
      const failure = failureOfStatus({
        what: name,
        status,
        serverMessage: readServerMessage(type, text),
        retryAfterMs: null,
        location: headers['Location'] ?? null,
        isWrite: true,
      })
      shapes.add(text === '' ? 'empty' : (type.split(';')[0] ?? ''))
      expect([name, failure.type, failure.retryable]).toEqual([name, expectedType(status), status >= 500])
      expect(failure.message).toContain(String(status))
      expect(failure.serverMessage ?? '').not.toMatch(/<html|<!doctype/i)
    }
    expect([...shapes].toSorted()).toEqual(['application/json', 'empty', 'text/html', 'text/plain'])
  })
})

/** Said once more, in ranges, so that a slip in the table shows. */
function expectedType(status: number): string {
  if (status === 401) return 'unauthorized'
  if (status === 403 || status === 423) return 'forbidden'
  if (status === 404 || status < 400) return 'not_found'
  if (status === 409 || status === 412) return 'conflict'
  return status < 500 ? 'invalid' : 'unexpected'
}
