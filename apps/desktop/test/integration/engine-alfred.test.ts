import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEngine } from '@main/boot/compose'
import { resourcesFolder } from './support/agent-container'
import { buildAlfred, runAlfred, startAlfred } from './support/alfred-process'
import { clientOf, createWatch, removeFolder, value } from './support/engine-bench'

/*
 * The command `alfred`: alone, beside an owner, and when a window takes over.
 */

let program: string
let folder: string
beforeAll(async () => {
  program = await buildAlfred()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alfred-cli-'))
})
afterEach(() => removeFolder(folder))

const alfred = (...words: string[]) => runAlfred(program, folder, words)
const done = async (...words: string[]): Promise<string> => {
  const ended = await alfred(...words)
  if (ended.code !== 0) throw new Error(`alfred ${words.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  return ended.stdout
}

const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  })

describe('the local forge as alfred issue', () => {
  it('is a tracker that one can work with for a week', async () => {
    expect(await done('project', 'create', 'crew/boat')).toContain('crew/boat is there')
    expect(
      await done(
        'issue',
        'create',
        'crew/boat',
        '--title',
        'Paint the hull',
        '--body',
        'Blue.',
        '--label',
        'type::task',
        '--label',
        'wood: oak',
      ),
    ).toBe('crew/boat#1: Paint the hull\n')
    await done('issue', 'create', 'boat', '--title', 'Mend the sail')
    await done('issue', 'edit', 'boat#1', '--title', 'Paint the whole hull')
    await done('issue', 'comment', 'boat#1', 'Two', 'coats.')
    await runAlfred(program, folder, ['issue', 'comment', 'boat#1', '-'], 'From standard input.\n')
    await done('issue', 'label', 'boat#1', '--add', 'urgent', '--remove', 'type::task')
    await done('issue', 'close', 'boat#2')
    expect(await done('issue', 'list', 'boat')).toMatch(
      /crew\/boat#1 {2}open {3}Paint the whole hull {2}urgent, wood: oak/,
    )
    expect(await done('issue', 'search', 'sail', 'is:closed')).toContain('crew/boat#2')
    const shown = JSON.parse(await done('issue', 'show', 'boat#1', '--json')) as {
      readonly body: string
      readonly created_at: string
      readonly comment_list: readonly {
        readonly body: string
        readonly author: { readonly is_you: boolean }
      }[]
    }
    expect([shown.body, ...shown.comment_list.map(({ body }) => body)]).toEqual([
      'Blue.',
      'Two coats.',
      'From standard input.\n',
    ])
    expect(new Date(shown.created_at).toISOString()).toBe(shown.created_at)
    expect(shown.comment_list[0]?.author.is_you).toBe(true)
    await done('issue', 'assign', 'boat#1', 'me')
    expect(await done('issue', 'search', 'assignee:me')).toContain('crew/boat#1')
    expect(await done('issue', 'person', 'grace', '--name', 'Grace Hopper')).toBe(
      'Grace Hopper can be assigned now, as grace.\n',
    )
    await done('issue', 'assign', 'boat#2', 'grace')
    expect(await done('issue', 'search', 'assignee:grace')).toContain('crew/boat#2')
    await done('issue', 'reopen', 'boat#2')
    expect(await done('issue', 'list', '--state', 'open')).toContain('Mend the sail')
  })

  it('says in words what it cannot do, and changes nothing', async () => {
    await done('project', 'create', 'boat')
    await done('issue', 'create', 'boat', '--title', 'x')
    const refusal = async (...words: string[]): Promise<string> => {
      const ended = await alfred(...words)
      expect([ended.code, ended.stdout]).toEqual([1, ''])
      return ended.stderr
    }
    expect(await refusal('issue', 'create', 'boat', '--title', '')).toBe('alfred: title must not be empty.\n')
    expect(await refusal('issue', 'label', 'boat#1', '--add', 'new', '--remove', 'nothing')).toContain(
      'local/boat#1 has no label nothing. Nothing was changed.',
    )
    expect(await refusal('issue', 'create', 'boat', '--title', '', '--label', 'never-made')).toContain(
      'title',
    )
    expect(await done('issue', 'list', '--label', 'never-made')).toBe('No issues.\n')
    expect(await refusal('issue', 'comment', 'boat#1', '-')).toContain('standard input was empty')
    expect(await refusal('issue', 'assign', 'boat#1', 'bob')).toMatch(
      /^alfred: There is nobody called bob\. Known: .*\balfred\b.*\. "me" is you\. "alfred issue person bob" adds somebody\.\n$/,
    )
    expect(await refusal('issue', 'person', 'alfred')).toContain('There is somebody with the login alfred')
    expect(await refusal('issue', 'person', 'no one')).toContain('login')
    expect(await done('issue', 'show', 'boat#1')).toContain('labels: none')
  })

  it('makes changes of branches that a person pushed, tells their conflict, and merges what was mended', async () => {
    await done('project', 'create', 'boat')
    await done('issue', 'create', 'boat', '--title', 'Paint the hull')
    await done('issue', 'create', 'boat', '--title', 'Paint it again')
    const [project] = JSON.parse(await done('project', 'list', '--json')) as readonly {
      readonly remote_path: string
    }[]
    git('clone', '-q', project?.remote_path ?? '', 'clone')
    const inClone = (...words: string[]) => git('-C', 'clone', ...words)
    const commitHull = async (color: string): Promise<void> => {
      await writeFile(join(folder, 'clone', 'hull'), `${color}\n`)
      inClone('add', 'hull')
      inClone('commit', '-q', '-m', color)
    }
    await commitHull('blue')
    const change = (...words: string[]) => alfred('issue', 'change', 'boat#1', '--branch', 'mine', ...words)
    expect((await change()).stderr).toContain('There is no branch mine in the project: push it first.')
    inClone('push', '-q', 'origin', 'HEAD:mine')
    expect((await change('--title', 'Blue')).stdout).toBe('!1: mine -> main, closes local/boat#1.\n')
    expect((await change()).stderr).toContain('The branch mine has an open change already: !1.')
    inClone('checkout', '-q', '--detach', 'origin/main')
    await commitHull('red')
    inClone('push', '-q', 'origin', 'HEAD:refs/heads/yours')
    await done('issue', 'change', 'boat#2', '--branch', 'yours')
    await done('issue', 'merge', 'boat#1')
    expect(await done('issue', 'show', 'boat#1')).toContain('local/boat#1 closed')
    expect(await alfred('issue', 'merge', 'boat#2')).toMatchObject({
      code: 1,
      stderr:
        'alfred: yours and main change the same lines of hull, so nothing was merged. Merge main into yours, push it, and merge again.\n',
    })
    expect(await done('issue', 'show', 'boat#2')).toContain('local/boat#2 open')
    inClone('fetch', '-q')
    inClone('merge', '-q', '-s', 'ours', '-m', 'Red it is', 'origin/main')
    inClone('push', '-q', 'origin', 'HEAD:refs/heads/yours')
    expect(await done('issue', 'diff', 'boat#2')).toContain('-blue\n+red\n')
    await done('issue', 'merge', 'boat#2')
    expect(await done('issue', 'list', 'boat')).toBe('No issues.\n')
  })

  it('lets no control sequence of an issue reach the terminal', async () => {
    await done('project', 'create', 'boat')
    await done('issue', 'create', 'boat', '--title', 'x', '--body', 'a\u001b]0;owned\u0007b')
    expect(await done('issue', 'show', 'boat#1')).not.toContain('\u001b')
  })
})

describe('a command line that is wrong', () => {
  it.each([
    [['nonsense'], 2, 'there is no command nonsense'],
    [['run'], 2, 'PROJECT#IID is missing'],
    [['run', 'boat'], 2, 'write it as organization/project#12'],
    [['retry', '5', '--fresh', '--session', '3'], 2, 'exclude each other'],
    [['issue', 'bogus'], 2, 'alfred issue needs one of'],
    [['settings', 'set', 'NOPE', '1'], 2, 'there is no setting NOPE'],
    [['settings', 'set', 'MAX_RUNS', '0'], 1, 'MAX_RUNS'],
    [['stop', '99'], 1, 'There is no run 99'],
    [['issue', 'list', 'nowhere'], 1, 'There is no project nowhere'],
    [['issue', 'list', '--state', 'opne'], 2, '--state is open, closed or all, not opne'],
  ])('%j ends with %i and says why', async (words, code, message) => {
    const ended = await alfred(...words)
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout).toBe('')
  })

  it('has help for everything', async () => {
    expect(await done('--help')).toContain('alfred COMMAND')
    expect(await done('run', '--help')).toContain('--phase PHASE')
    expect(await done('--version')).toMatch(/^alfred \d+\.\d+\.\d+/)
  })
})

describe('settings', () => {
  it('are set per scope, shown with their origin, and reset', async () => {
    await done('project', 'create', 'boat')
    expect(await done('settings', 'set', 'RUN_TIMEOUT', '1m')).toBe(
      'RUN_TIMEOUT is now 1m (set for the whole app).\n',
    )
    expect((await alfred('settings', 'set', 'RUN_TIMEOUT', 'soon')).stderr).toBe(
      'alfred: RUN_TIMEOUT must be a duration, as in 30m or 1h 30m.\n',
    )
    expect(await done('settings', 'list')).toMatch(/^RUN_MEMORY +4 GB +default/m)
    await done('settings', 'set', 'RUN_TIMEOUT', '30000', '--project', 'boat')
    const find = async (...scope: string[]) =>
      (
        JSON.parse(await done('settings', 'list', '--json', ...scope)) as readonly {
          readonly key: string
          readonly value: unknown
          readonly origin: string
        }[]
      ).find(({ key }) => key === 'RUN_TIMEOUT')
    expect([await find(), await find('--project', 'boat')]).toMatchObject([
      { value: 60_000, origin: 'app' },
      { value: 30_000, origin: 'project' },
    ])
    expect(await done('settings', 'reset', 'RUN_TIMEOUT', '--project', 'boat')).toBe(
      'RUN_TIMEOUT is now 1m (set for the whole app).\n',
    )
    expect(await find('--project', 'boat')).toMatchObject({ value: 60_000, origin: 'app' })
  })

  it('let runs execute on this computer for a project only, and only with consent', async () => {
    await done('project', 'create', 'boat')
    const toHost = ['settings', 'set', 'AGENT_RUNNER', 'host'] as const
    const wide = await alfred(...toHost, '--yes')
    expect([wide.code, wide.stderr]).toEqual([1, expect.stringContaining('never for the whole app')])
    const unasked = await alfred(...toHost, '--project', 'boat')
    expect([unasked.code, unasked.stderr]).toEqual([
      1,
      expect.stringMatching(/as your user: .* needs your consent for this project\. Add --yes to give it\./),
    ])
    expect(await done(...toHost, '--project', 'boat', '--yes')).toBe(
      'AGENT_RUNNER is now host (set for the project).\n',
    )
  })

  it('mount login files only with consent, in whatever scope', async () => {
    await done('project', 'create', 'boat')
    const mounts = JSON.stringify(['codex=/h/auth.json:/home/agent/.codex/auth.json'])
    const toMount = ['settings', 'set', 'AGENT_CREDENTIAL_MOUNTS', mounts] as const
    for (const scope of [[], ['--project', 'boat']]) {
      const unasked = await alfred(...toMount, ...scope)
      expect([unasked.code, unasked.stderr]).toEqual([
        1,
        expect.stringMatching(
          /can sign you out on this computer\. .* needs your consent\. Add --yes to give it\./,
        ),
      ])
    }
    expect(await done('settings', 'list')).toMatch(/^AGENT_CREDENTIAL_MOUNTS +\S+ +default/m)
    expect(await done(...toMount, '--yes')).toBe(
      `AGENT_CREDENTIAL_MOUNTS is now ${mounts} (set for the whole app).\n`,
    )
    expect(await done('settings', 'set', 'AGENT_CREDENTIAL_MOUNTS', '[]')).toMatch(/is now .* the whole app/)
  })
})

describe('the doctor', () => {
  it('proves that containers can write into the data folder, in lines for programs', async () => {
    const { lines } = JSON.parse(await done('doctor', '--json')) as {
      readonly lines: readonly {
        readonly check: string
        readonly state: string
        readonly detail: string
        readonly fix: unknown
      }[]
    }
    expect(lines.find(({ check }) => check === 'docker')).toMatchObject({
      state: 'passed',
      detail: expect.stringMatching(/found (?:by|at) /),
    })
    expect(lines.find(({ check }) => check === 'mounts')).toMatchObject({
      state: 'passed',
      detail: expect.stringContaining('uid'),
    })
    for (const line of lines) expect(line.fix === null).toBe(line.state !== 'failed')
  })

  it('gives a failed line exactly one fix', async () => {
    await done('settings', 'set', 'DOCKER_ENDPOINT', `unix://${join(folder, 'nowhere.sock')}`)
    const ended = await alfred('doctor', '--json')
    const { lines } = JSON.parse(ended.stdout) as {
      readonly lines: readonly {
        readonly check: string
        readonly state: string
        readonly fix: { readonly text: string } | null
      }[]
    }
    expect(ended.code).toBe(1)
    expect(lines.find(({ check }) => check === 'docker')).toMatchObject({
      state: 'failed',
      fix: { text: expect.any(String) },
    })
    expect(lines.find(({ check }) => check === 'image')).toMatchObject({ state: 'skipped', fix: null })
  })
})

describe('alfred alone', () => {
  let plannedFolder: string
  /** An issue with its plan, made once; the run that made it has told all of it. */
  beforeAll(async () => {
    plannedFolder = await mkdtemp(join(tmpdir(), 'alfred-cli-'))
    folder = plannedFolder
    await done('project', 'create', 'boat')
    await done('settings', 'set', 'AGENT_ADAPTER', 'demo', '--project', 'boat')
    await done('issue', 'create', 'boat', '--title', 'Add a slug helper')
    const refused = await alfred('run', 'boat#1')
    expect(refused.stderr).toContain('"alfred issue assign boat#1 alfred"')
    await done('issue', 'assign', 'boat#1', 'alfred')
    const owner = await startAlfred(program, folder)
    const { until } = createWatch(owner.client)
    await until(async () => {
      const status = value(await owner.client.call('app', 'status', {}))
      return status.needsYou === 1 && status.running === 0 ? true : null
    })
    await owner.kill()
  })
  beforeEach(() => void execFileSync('cp', ['-a', `${plannedFolder}/.`, folder]))
  afterAll(() => removeFolder(plannedFolder))

  it('tells the forge what its run made before it ends', async () => {
    const ran = await alfred('run', 'local/boat#1', '--phase', 'development')
    expect(ran.stdout).toContain('succeeded')
    const shown = await done('issue', 'show', 'boat#1')
    expect(shown).toContain('status::in_review')
    expect(shown).toContain('changes: !1')
    expect(shown).not.toContain('could not be pushed')
  })

  it('pushes what waits for a person when that person says so, and runs nothing on top of it before', async () => {
    await done('settings', 'set', 'PUSH_NEEDS_PERSON', '["src/**"]', '--project', 'boat')
    await done('run', 'local/boat#1', '--phase', 'development')
    expect(await done('issue', 'show', 'boat#1')).not.toContain('changes:')
    const again = await alfred('run', 'local/boat#1', '--phase', 'development')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('alfred issue push')
    const shown = await done('issue', 'push', 'boat#1', '--show')
    expect(shown).toMatch(/ {2}src\/\S+\.js\n/)
    expect(shown).toContain('diff --git')
    expect(await done('issue', 'push', 'boat#1')).toContain('is pushed.')
    expect(await done('issue', 'show', 'boat#1')).toContain('status::in_review')
    expect((await alfred('issue', 'push', 'boat#1')).stderr).toContain('No push of local/boat#1 waits')
  })

  it('leaves out what waits for a person, keeps it, and does the phase again without it', async () => {
    await done('settings', 'set', 'PUSH_NEEDS_PERSON', '["src/**"]', '--project', 'boat')
    await done('run', 'local/boat#1', '--phase', 'development')
    expect((await alfred('issue', 'push', 'boat#1', '--show', '--discard')).code).toBe(2)
    const left = await alfred('issue', 'push', 'boat#1', '--go-on-without')
    expect(left).toMatchObject({ code: 0 })
    const [, repository, ref] = /1 commit kept: git fetch (\S+) (\S+)/.exec(left.stderr) ?? []
    git('init', '-q', 'found')
    git('-C', 'found', 'fetch', '-q', repository ?? '', ref ?? '')
    expect(git('-C', 'found', 'show', '--name-only', '--format=', 'FETCH_HEAD')).toMatch(/src\/\S+\.js/)

    // The demo agent does the same again; it began without what was left out.
    expect((await alfred('issue', 'push', 'boat#1', '--discard')).stderr).toContain(
      'Nothing was discarded. 1 commit',
    )
    expect(await done('issue', 'push', 'boat#1', '--discard', '--force')).toContain('1 commit discarded')
    expect((await alfred('issue', 'push', 'boat#1')).stderr).toContain('No push of local/boat#1 waits')
    expect(await done('issue', 'show', 'boat#1')).toContain('status::blocked')
  })
})

describe('one owner of the data', () => {
  it('is talked to by every other alfred, which follows a run to its end', async () => {
    const owner = await startAlfred(program, folder)
    try {
      await done('project', 'create', 'boat')
      await done('settings', 'set', 'AGENT_ADAPTER', 'demo', '--project', 'boat')
      await done('issue', 'create', 'boat', '--title', 'Add a slug helper', '--assign', 'alfred')
      const { until } = createWatch(owner.client)
      await until(async () =>
        value(
          await owner.client.call('mailboxes', 'list', {
            filter: 'needs-you',
            projectId: null,
            text: null,
            limit: 1,
            before: null,
          }),
        ).rows.length > 0
          ? true
          : null,
      )
      const ran = await alfred('run', 'boat#1', '--phase', 'development')
      expect(ran.code).toBe(0)
      expect(ran.stdout).toContain('(remembered)')
      expect(ran.stdout).toMatch(/Development, run \d+: succeeded\. Resumed\./)
      const rows = JSON.parse(await done('sessions', 'boat#1', '--json')) as readonly Readonly<
        Record<string, unknown>
      >[]
      expect(rows.map(({ resumed }) => resumed)).toEqual([false, true])
      const retried = JSON.parse(
        await done('retry', String(rows[1]?.['run_id']), '--fresh', '--json'),
      ) as Readonly<Record<string, unknown>>
      expect(retried).toMatchObject({ outcome: 'succeeded', resumed: false, resume_fallback: null })
      // An older memory is tried again by its number, as one that was set aside is.
      const old = JSON.parse(
        await done('retry', String(rows[1]?.['run_id']), '--session', String(rows[0]?.['id']), '--json'),
      ) as Readonly<Record<string, unknown>>
      expect(old).toMatchObject({ resumed: true, native_session_id: rows[0]?.['native_session_id'] })
      expect(old['native_session_id']).not.toBe(retried['native_session_id'])
    } finally {
      await owner.kill()
    }
  })

  it('outlives a defect that nobody waits for, and logs it with its stack', async () => {
    const plant = join(folder, 'plant.mjs')
    await writeFile(plant, "setInterval(() => void Promise.reject(new Error('planted')), 50).unref()\n")
    const owner = await startAlfred(program, folder, {
      environment: { NODE_OPTIONS: `--import=${pathToFileURL(plant).href}` },
    })
    try {
      const log = join(folder, 'logs', 'alfred.log')
      await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toMatch(/Error: planted\\n +at /), {
        timeout: 30_000,
      })
      expect(await owner.client.call('app', 'status', {})).toMatchObject({ ok: true })
    } finally {
      await owner.kill()
    }
  })

  it('hands over to a window: it ends by itself, and live runs go on', async () => {
    const owner = await startAlfred(program, folder)
    const project = value(
      await owner.client.call('tracker', 'createProject', {
        organization: 'local',
        name: 'boat',
        source: { kind: 'empty' },
      }),
    )
    value(
      await owner.client.call('settings', 'set', {
        scope: 'project',
        scopeId: project.id,
        key: 'AGENT_ADAPTER',
        value: 'demo',
      }),
    )
    value(
      await owner.client.call('tracker', 'createIssue', {
        projectId: project.id,
        title: 'Hang',
        body: 'DEMO_FAULT=hang',
        assignees: ['alfred'],
      }),
    )
    const live = await createWatch(owner.client).until(
      async () =>
        value(await owner.client.call('app', 'status', {})).runs.find(({ state }) => state === 'running') ??
        null,
    )
    const opened = await createEngine({
      dataFolder: folder,
      kind: 'desktop',
      resourcesFolder,
      version: '0.0.0-test',
      notifier: { show: () => undefined },
      work: 'works',
      allowsDemonstration: true,
      checkOutput: true,
    })
    const window = value(opened)
    const client = clientOf(window)
    const detail = value(await client.call('runs', 'get', { runId: live.runId }))
    expect(detail.row).toMatchObject({ state: 'running', attempts: 1 })
    await window.stop('stop')
    expect(owner.child.exitCode).toBe(0)
  })
})
