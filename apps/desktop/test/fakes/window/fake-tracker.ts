import type { TrackerChange, TrackerIssue, TrackerPerson, TrackerProject } from '@shared/contract/tracker'
import { fakeDiff } from './fake-run-screens'

/** The built-in forge from memory: one project, a few issues that can be worked with. */

const minute = 60_000
const nadia: TrackerPerson = { id: '1', login: 'nadia', name: 'Nadia Okafor', isAlfred: false, isYou: true }
const alfred: TrackerPerson = { id: '2', login: 'alfred', name: 'Alfred', isAlfred: true, isYou: false }
const labels = [
  { name: 'type::task', color: '#0c7a7c' },
  { name: 'type::bug', color: '#ab2720' },
  { name: 'status::waiting_validation', color: '#845100' },
  { name: 'good first issue', color: '#7d52bd' },
]

export const fakeTrackerProjects = (): TrackerProject[] => [
  {
    id: 6 as TrackerProject['id'],
    organization: 'local',
    slug: 'demo',
    defaultBranch: 'main',
    isDemo: true,
    isWatched: true,
    remotePath: '/home/nadia/.local/share/alfred/local-forge/local/demo.git',
    openIssues: 2,
    openChanges: 1,
  },
  {
    id: 7 as TrackerProject['id'],
    organization: 'local',
    slug: 'notes',
    defaultBranch: 'main',
    isDemo: false,
    isWatched: true,
    remotePath: '/home/nadia/.local/share/alfred/local-forge/local/notes.git',
    openIssues: 0,
    openChanges: 0,
  },
]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function createFakeTracker(now: number) {
  const change = {
    projectId: 6 as TrackerProject['id'],
    iid: 1,
    title: 'Greet people by name',
    author: alfred,
    sourceBranch: 'agent/issue-1-greet-people-by-name',
    targetBranch: 'main',
    closesIid: 1,
    state: 'open' as TrackerChange['state'],
    hasConflicts: false,
    headSha: 'b'.repeat(40),
    mergedSha: null as string | null,
    createdAt: now - 20 * minute,
    updatedAt: now - 20 * minute,
  }
  const issues: TrackerIssue[] = [
    {
      projectId: 6 as TrackerProject['id'],
      iid: 1,
      title: 'Greet people by name',
      isOpen: true,
      labels: [labels[0]!, labels[2]!],
      assignees: [alfred],
      author: nadia,
      comments: 2,
      createdAt: now - 120 * minute,
      updatedAt: now - 20 * minute,
      body: 'The greeting says `Hello, world`. It should take a **name**.\n\n- [x] a name on the command line\n- [ ] an empty name is refused\n\n```js\ngreet("Nadia")\n```\n\n<script>alert(1)</script> see [the docs](https://example.org/docs)',
      commentList: [
        {
          id: '1',
          author: alfred,
          body: 'I will look at it. The plan follows here.',
          createdAt: now - 100 * minute,
          updatedAt: now - 100 * minute,
        },
        {
          id: '2',
          author: nadia,
          body: 'Please keep `world` as the default.',
          createdAt: now - 60 * minute,
          updatedAt: now - 30 * minute,
        },
      ],
      labelEvents: [
        { id: '1', label: 'type::task', action: 'added', by: nadia, at: now - 119 * minute },
        { id: '2', label: 'status::waiting_validation', action: 'added', by: alfred, at: now - 90 * minute },
      ],
      changes: [change],
    },
    {
      projectId: 6 as TrackerProject['id'],
      iid: 2,
      title: 'Count how often somebody was greeted',
      isOpen: true,
      labels: [labels[1]!],
      assignees: [],
      author: nadia,
      comments: 0,
      createdAt: now - 80 * minute,
      updatedAt: now - 80 * minute,
      body: '',
      commentList: [],
      labelEvents: [],
      changes: [],
    },
    {
      projectId: 6 as TrackerProject['id'],
      iid: 3,
      title: 'Say goodbye',
      isOpen: false,
      labels: [],
      assignees: [],
      author: nadia,
      comments: 0,
      createdAt: now - 3_000 * minute,
      updatedAt: now - 2_000 * minute,
      body: 'Done by hand.',
      commentList: [],
      labelEvents: [],
      changes: [],
    },
  ]
  const find = (iid: unknown): TrackerIssue => {
    const issue = issues.find((one) => one.iid === iid)
    if (!issue) throw new Error('no such issue')
    return issue
  }
  const put = (iid: unknown, part: Partial<TrackerIssue>): TrackerIssue => {
    const next = { ...find(iid), ...part, updatedAt: Date.now() }
    issues.splice(
      issues.findIndex((one) => one.iid === iid),
      1,
      next,
    )
    return next
  }
  type Input = Readonly<Record<string, unknown>>
  const queries: Readonly<Record<string, (input: Input) => unknown>> = {
    'tracker.listProjects': fakeTrackerProjects,
    'tracker.listPeople': () => [nadia, alfred],
    'tracker.listLabels': () => labels,
    'tracker.listIssues': ({ query, projectId }) => {
      const words = textOf(query).toLowerCase().split(/\s+/).filter(Boolean)
      const rows = issues.filter(
        (issue) =>
          (projectId === null || issue.projectId === projectId) &&
          words.every((word) =>
            word === 'is:open'
              ? issue.isOpen
              : word === 'is:closed'
                ? !issue.isOpen
                : issue.title.toLowerCase().includes(word),
          ),
      )
      return { rows, total: rows.length, cursor: null }
    },
    'tracker.getIssue': ({ iid }) => find(iid),
    'tracker.listChanges': () => [change],
    'tracker.getChange': () => ({
      ...change,
      body: 'Closes #1',
      baseSha: 'a'.repeat(40),
      commits: 2,
      files: [],
      patch: fakeDiff,
      patchIsCut: false,
      problem: null,
    }),
  }
  const commands: Readonly<Record<string, (input: Input) => unknown>> = {
    'tracker.createIssue': ({ title, body, labels: names, projectId }) => {
      const iid = issues.length + 1
      const issue: TrackerIssue = {
        ...find(2),
        iid,
        projectId: projectId as TrackerProject['id'],
        title: textOf(title),
        body: textOf(body),
        labels: labels.filter((label) => (names as string[]).includes(label.name)),
        createdAt: Date.now(),
        updatedAt: Date.now(),
      }
      issues.unshift(issue)
      return issue
    },
    'tracker.editIssue': ({ iid, title, body }) =>
      put(iid, {
        ...(title !== undefined && { title: textOf(title) }),
        ...(body !== undefined && { body: textOf(body) }),
      }),
    'tracker.comment': ({ iid, body }) => {
      const comment = {
        id: String(Date.now()),
        author: nadia,
        body: textOf(body),
        createdAt: Date.now(),
        updatedAt: Date.now(),
      }
      put(iid, { commentList: [...find(iid).commentList, comment] })
      return comment
    },
    'tracker.addLabel': ({ iid, label }) =>
      void put(iid, {
        labels: [
          ...find(iid).labels,
          labels.find((one) => one.name === label) ?? { name: String(label), color: '#64748b' },
        ],
      }),
    'tracker.removeLabel': ({ iid, label }) =>
      void put(iid, { labels: find(iid).labels.filter((one) => one.name !== label) }),
    'tracker.assign': ({ iid, login }) =>
      void put(iid, { assignees: [...find(iid).assignees, login === 'alfred' ? alfred : nadia] }),
    'tracker.unassign': ({ iid, login }) =>
      void put(iid, { assignees: find(iid).assignees.filter((one) => one.login !== login) }),
    'tracker.close': ({ iid }) => void put(iid, { isOpen: false }),
    'tracker.reopen': ({ iid }) => void put(iid, { isOpen: true }),
    'tracker.mergeChange': () => {
      change.state = 'merged'
      change.mergedSha = 'c'.repeat(40)
      put(1, { changes: [change], isOpen: false })
      return change
    },
    'tracker.createProject': ({ organization, name }) => ({
      ...fakeTrackerProjects()[1]!,
      id: 8,
      organization,
      slug: String(name).toLowerCase(),
    }),
  }
  return {
    queries,
    commands,
    changed: (projectId: unknown, iid: unknown) => ({ type: 'issue', projectId, iid }),
  }
}
