import { afterEach, beforeEach, expect, test } from 'vitest'
import { ok } from '@shared/result'
import { openTestStore, type TestStore } from '../../../test/fakes/open-test-store'
import { createMailboxActions } from './mailbox-actions'

let opened: TestStore
beforeEach(() => {
  opened = openTestStore()
})
afterEach(() => opened.remove())

test.each([
  ['local', ok(null), ['ai::validate_plan']],
  [
    'gitea',
    {
      ok: false,
      error: {
        type: 'forge',
        message: expect.stringContaining('set the label ai::validate_plan on the issue') as string,
      },
    },
    [],
  ],
] as const)(
  'a plan on a forge of the kind %s is validated where a person proves who they are',
  async (kind, answer, labels) => {
    const { store } = opened
    const forge = store.forges.addForge(
      { kind, name: 'git.example', baseUrl: 'x:', caFile: null, accountId: '1', accountLogin: 'alfred' },
      1,
    )
    const { id: organizationId } = store.forges.addOrganization(forge.id, 'acme', 1)
    const project = store.forges.addProject(
      { organizationId, slug: 'shop', defaultBranch: 'main', isDemo: false, isWatched: true },
      1,
    )
    const mailbox = store.mailboxes.ensure({ projectId: project.id, kind: 'issue', iid: 1, title: 'x' }, 1)
    store.mailboxes.update(mailbox.id, { status: 'waiting_validation' }, 1)
    const set: string[] = []
    const tracker = {
      addLabel: (_issue: unknown, label: string) => Promise.resolve(ok(void set.push(label))),
    }
    const parts = { store, tracker, onIssueChanged: () => undefined }
    const actions = createMailboxActions(parts as unknown as Parameters<typeof createMailboxActions>[0])
    expect(await actions.validatePlan(mailbox.id)).toEqual(answer)
    expect(set).toEqual(labels)
  },
)
