import { describe, expect, it } from 'vitest'
import { scriptForgejo } from '../../../../../test/fakes/scripted-forgejo'
import { readHeadStatus } from './head-status'

const repository = { owner: 'acme', fullName: 'acme/shop', path: '/repos/acme/shop' }

interface Status {
  readonly id: number
  readonly context: string
  readonly status: string
}

/** The checks of one commit, newest first; `meanwhile` happens after a page was answered. */
async function read(
  count: number,
  meanwhile: (page: number, report: (status: string) => void) => void,
  countsThem = true,
) {
  let latest: Status[] = Array.from({ length: count }, (_, n) => ({
    id: count - n,
    context: `check-${count - n}`,
    status: n === count - 1 ? 'pending' : 'success',
  }))
  let id = count
  /** The oldest check reports. */
  const report = (status: string): void => {
    id++
    const context = 'check-1'
    latest = [{ id, context, status }, ...latest.filter((each) => each.context !== context)]
  }
  const server = scriptForgejo(({ query }) => {
    const [page, limit] = [Number(query['page']), Number(query['limit'])]
    const statuses = latest.slice((page - 1) * limit, page * limit)
    const headers: Record<string, string> = {}
    if (countsThem) headers['x-total-count'] = String(latest.length)
    meanwhile(page, report)
    return { body: { statuses }, headers }
  })
  const answer = await readHeadStatus(server.context, repository, 'a'.repeat(40))
  return { status: answer.ok ? answer.value : answer.error, requests: server.requests.length }
}

describe('the checks of a commit', () => {
  it('[a check that reports between two pages] is in one of them at the end', async () => {
    for (const status of ['failure', 'success'] as const) {
      let isFirst = true
      const answer = await read(55, (_page, report) => {
        if (isFirst) report(status)
        isFirst = false
      })
      expect(answer.status).toBe(status)
    }
  })

  it('wait where they report whenever they are read', async () => {
    const answer = await read(55, (page, report) => {
      if (page === 1) report('success')
    })
    expect(answer).toEqual({ status: 'pending', requests: 10 })
  })

  it('are one request where one page holds them, two where the server does not count them', async () => {
    expect(await read(50, () => undefined)).toEqual({ status: 'pending', requests: 1 })
    expect(await read(50, () => undefined, false)).toEqual({ status: 'pending', requests: 2 })
  })
})
