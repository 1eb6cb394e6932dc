import type { Channel } from './contract/channels'

/** Home as it is first shown: the first page of its list, and a page of the first mailbox's sessions. */
export const homeQuestion = {
  list: { filter: 'all-open', projectId: null, text: null, limit: 40, before: null },
  sessions: 100,
} as const

/** All that the first picture shows. */
export const firstQuestions: readonly (readonly [Channel, object])[] = [
  ['mailboxes.home', homeQuestion],
  ['mailboxes.counts', {}],
  ['mailboxes.projects', {}],
  ['app.status', {}],
  ['app.info', {}],
]
