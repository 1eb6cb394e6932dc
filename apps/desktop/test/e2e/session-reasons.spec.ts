import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleScript } from '../fakes/bundle-script'
import { expect, test } from './fixtures'
import { newFolder, removeHome } from './homes'
import { appFolder } from './launch'
import type { AlfredWindow } from './pages/alfred-window'
import { RunPage } from './pages/run-page'
import { keepScreen } from './screens'
import { newerVersion, titles } from './seed/reasons-titles'
import {
  expectAgent,
  expectNoSession,
  expectTold,
  fellBack,
  firstRun,
  noSession,
  onRun,
  open,
  resumed,
  unproven,
} from './session-words'

/*
 * Every way in which a session begins or is none, in the words of the window. The runs are the engine's own
 * (seed/reasons-home.ts), and held to what its tests say of them (session-matrix.test.ts).
 */

test.setTimeout(240_000)

test('the window says of each run how its session began, or why it has none', async ({
  playedDemo,
  start,
}) => {
  const folder = newFolder()
  const home = join(folder, 'home')
  try {
    await seed(home, playedDemo.home)
    const alfred = await start({ home })
    await test.step('a memory that is lost, not proven or not wanted', () => beginnings(alfred))
    await test.step('another model, provider and agent, and the first one again', () => changes(alfred))
    await test.step('no time left for a fresh start; a failure that tells no reason', () => ends(alfred))
    await test.step('sessions that are off, cannot be or are not kept there', () => off(alfred))
    await test.step('a merge request', () => mergeRequest(alfred))
    await test.step('login files in the place of the sessions', () => overlap(alfred))
    await test.step('a version that nobody has tried', () => version(alfred))
    await test.step('the api mode', () => api(alfred))
    await alfred.close()
  } finally {
    removeHome(folder)
  }
})

async function seed(home: string, demoHome: string): Promise<void> {
  const script = await bundleScript(join(appFolder, 'test/e2e/seed/reasons-home.ts'))
  try {
    await promisify(execFile)(process.execPath, [script.file, home, demoHome], {
      env: {
        ...process.env,
        ALFRED_TEST_RESOURCES: join(appFolder, 'resources'),
        ALFRED_TEST_FIXTURES: join(appFolder, 'test/fixtures'),
      },
    })
  } finally {
    script.remove()
  }
}

async function beginnings(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.beginnings)
  await expectTold(page, [
    firstRun('demo'),
    fellBack(
      'state_missing',
      'state missing',
      'Asked for ID \\(11 B, AGE old\\)\\. Its state is gone\\.',
      'B',
    ),
    fellBack('unsupported_version', 'wrong version', 'demo 1\\.0\\.0 cannot read this state\\.', 'C'),
    fellBack('refused', 'refused', 'The CLI refused to resume ID\\.', 'D'),
    unproven('D', { result: /^something went wrong$/ }),
    {
      badge: 'chosen_fresh',
      memory: /^Fresh · your choice\. A person asked for a fresh start\. Memory D is kept\.$/,
      under: /^memory D is kept$/,
      outcome: /^Done$/,
      spoken: /Fresh, your choice, memory E\./,
    },
  ])
  const reasons = page.breaks.getByTestId('resume-fallback-reason')
  expect(await reasons.evaluateAll((found) => found.map((each) => each.getAttribute('data-value')))).toEqual([
    'state_missing',
    'unsupported_version',
    'refused',
  ])
  await keepScreen(alfred, 'session-reasons')
}

async function changes(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.changes)
  const told = await expectTold(page, [
    { ...firstRun('claude-code'), agent: /^claude-code$/ },
    { ...resumed(), agent: /^claude-code · another-model$/, spoken: /, claude-code another-model\. Resumed/ },
    { ...resumed(), agent: /^claude-code · bedrock$/, spoken: /, claude-code, provider bedrock\. Resumed/ },
    {
      badge: 'adapter_changed',
      agent: /^codex$/,
      memory: /^Fresh · adapter changed\. codex has no session here\. Memory A of claude-code is kept\.$/,
      under: /^no codex session before$/,
      outcome: /^Done$/,
      spoken: /Fresh, adapter changed, memory B\./,
    },
    { ...resumed(), agent: /^claude-code$/, spoken: /Resumed, memory A\./ },
  ])
  const [first, model, provider, other, back] = told.map(({ id }) => id)
  expect([model, provider, back]).toEqual([first, first, first])
  expect(other).not.toBe(first)
  await expect(page.breaks).toHaveCount(0)
  await keepScreen(alfred, 'session-changes')
  for (const [index, agent] of [
    [1, 'claude-code 2.1.332 · another-model'],
    [2, 'claude-code 2.1.332 · bedrock'],
    [3, 'codex 0.171.0'],
  ] as const)
    await onRun(page, index, async (facts) => {
      await expect(facts.getByTestId('session-agent')).toHaveText(agent)
    })
}

async function ends(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.ends)
  const told = await expectTold(page, [
    firstRun('claude-code'),
    {
      badge: 'state_missing',
      id: /^$/,
      memory:
        /^Fell back · state missing\. Asked for ID \(11 B, AGE old\)\. Its state is gone\. The run ended before a fresh session began\.$/,
      under: /^was ID$/,
      outcome: /^Timed out$/,
      result: /^No time was left for a fresh start\.$/,
      spoken: /asked for \w{8}, no id reported\..* No time was left for a fresh start\./,
    },
    resumed(),
    unproven('A', { result: /^--dangerously-skip-permissions cannot be used/ }),
    resumed(),
  ])
  const [first, , afterLoss, , afterFailure] = told.map(({ id }) => id)
  expect([afterLoss, afterFailure]).toEqual([first, first])
  await expect(page.breaks).toHaveCount(1)
  await expect(page.breaks).toContainText(
    'Memory A was not resumed. The agent could not load it, and no fresh session began.',
  )
  await keepScreen(alfred, 'session-ends')
  const run = new RunPage(alfred)
  const error = alfred.part('run-error')
  await onRun(page, 1, async () => {
    await expect(run.state).toHaveAttribute('data-value', 'timed_out')
    await expect(alfred.part('run-attempt')).toHaveText('attempt 1 · limit 45m')
    await expect(error).toContainText('The time limit of 45m was reached.')
    await expect(error).toContainText(
      'The work is kept in the workspace. Retry, or raise the limit for this project first.',
    )
    await expect(alfred.part('run-error-message')).toHaveText('No time was left for a fresh start.')
    await keepScreen(alfred, 'session-ends-run')
  })
  await onRun(page, 3, async () => {
    await expect(run.state).toHaveAttribute('data-value', 'failed')
    await expect(alfred.part('run-attempt')).toHaveText('attempt 1 · limit 45m')
    await expect(error).toContainText('The agent ended with an error.')
    await expect(error).toContainText('The raw log says what it printed last.')
    await expect(alfred.part('run-error-message')).toContainText('(exit code 1)')
  })
}

async function off(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.off)
  const reasons = [
    'switched off for the project',
    'switched off for the organization',
    'adapter cannot resume',
    'host runner',
  ]
  const told = await expectTold(page, [
    firstRun('codex'),
    ...reasons.map((reason) => noSession(reason)),
    resumed(),
  ])
  expect(told.at(-1)?.id).toBe(told[0]?.id)
  await keepScreen(alfred, 'session-off')
  for (const [index, reason] of reasons.entries())
    await onRun(page, index + 1, (facts) => expectNoSession(facts, reason))
}

async function mergeRequest(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.mergeRequest)
  await expectTold(page, [noSession('merge request')])
  // it is reviewed and answered, and has no way from analysis to merge
  await expect(alfred.part('mailbox-progress')).toHaveCount(0)
  await keepScreen(alfred, 'session-merge-request')
  await onRun(page, 0, (facts) => expectNoSession(facts, 'merge request'))
}

async function overlap(alfred: AlfredWindow): Promise<void> {
  const reason = 'state path overlaps a credential mount'
  const page = await open(alfred, titles.overlap)
  await expectTold(page, [firstRun('opencode'), resumed(), noSession(reason, 'overlaps a credential mount')])
  await keepScreen(alfred, 'session-overlap')
  await onRun(page, 2, async (facts) => {
    await expectNoSession(facts, reason)
    await expect(alfred.part('transcript')).toContainText('No later run goes on with it.')
    await keepScreen(alfred, 'session-overlap-run')
  })
  await expectAgent(alfred, 'opencode', {
    resumable: 'yes',
    reason:
      /^In of-opencode\/boat: the credential mount at \/home\/agent\/\.local\/share\/opencode\/\S+ overlaps the session state, so runs start fresh\.$/,
  })
  await keepScreen(alfred, 'session-overlap-agents')
}

async function version(alfred: AlfredWindow): Promise<void> {
  const page = await open(alfred, titles.version)
  await expectTold(page, [
    { ...noSession('version not verified'), outcome: /^Analysed$/ },
    noSession('version not verified'),
  ])
  await keepScreen(alfred, 'session-version')
  await onRun(page, 1, async (facts) => {
    await expectNoSession(facts, 'version not verified')
    await expect(facts.getByTestId('session-agent')).toHaveText(`copilot ${newerVersion.version}`)
  })
  await expectAgent(alfred, 'copilot', {
    resumable: 'no',
    inRow: /^outside the verified range$/,
    reason: /^Version 9\.0\.0 is outside the verified range \(1\.0\.\d+\), so every run starts fresh\.$/,
  })
}

async function api(alfred: AlfredWindow): Promise<void> {
  const reason = 'adapter cannot resume'
  const row = { ...noSession(reason), agent: /^api · some-model$/, outcome: /^Analysed$/ }
  const page = await open(alfred, titles.api)
  await expectTold(page, [row, row])
  await keepScreen(alfred, 'session-api')
  await onRun(page, 1, (facts) => expectNoSession(facts, reason))
  await expectAgent(alfred, 'api', {
    resumable: 'no',
    reason: /^Works without a CLI, so nothing to resume\.$/,
  })
}
