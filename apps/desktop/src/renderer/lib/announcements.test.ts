import { describe, expect, it } from 'vitest'
import { createAnnouncements } from './announcements'

function setUp() {
  const said: string[] = []
  let now = 0
  let planned: { readonly at: number; readonly action: () => void }[] = []
  const { announce } = createAnnouncements((text) => said.push(`${now}: ${text}`), {
    now: () => now,
    later: (action, ms) => planned.push({ at: now + ms, action }),
  })
  const passTo = (time: number): void => {
    for (;;) {
      const due = planned.filter((plan) => plan.at <= time).toSorted((a, b) => a.at - b.at)[0]
      if (!due) break
      planned = planned.filter((plan) => plan !== due)
      now = due.at
      due.action()
    }
    now = time
  }
  return { announce, said, passTo }
}

describe('announcements', () => {
  it('says the first at once and the next three seconds later', () => {
    const { announce, said, passTo } = setUp()
    announce('run 1', 'Review fix on 128 started')
    announce('run 2', 'Development on 12 started')
    passTo(10_000)
    expect(said).toEqual(['0: Review fix on 128 started', '3000: Development on 12 started'])
  })

  it('says only the latest about one run', () => {
    const { announce, said, passTo } = setUp()
    announce('run 2', 'Development on 12 started')
    passTo(0)
    announce('run 1', 'Stopping')
    announce('run 1', 'Finished: pushed 1 commit')
    passTo(10_000)
    expect(said).toEqual(['0: Development on 12 started', '3000: Finished: pushed 1 commit'])
  })
})
