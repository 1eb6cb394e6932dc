import { expect, it } from 'vitest'
import { homeQuestion } from '@shared/first-questions'
import { firstPageOf } from '../features/mailboxes/use-mailboxes'
import { newestPageOf } from '../features/timeline/use-timeline'
import { homeView } from '../lib/navigation/view'

it('the first question is the one whose answer home looks for', () => {
  expect(homeQuestion).toEqual({
    list: firstPageOf({ ...homeView, text: '' }),
    sessions: newestPageOf(1 as never).limit,
  })
})
