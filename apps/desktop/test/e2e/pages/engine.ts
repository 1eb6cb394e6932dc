import { expect } from '@playwright/test'
import type { EngineStatus } from '@shared/contract/app'
import type { TrackerIssue, TrackerPerson, TrackerProject } from '@shared/contract/tracker'
import type { AlfredWindow } from './alfred-window'

/*
 * What a test prepares through the same contract as the page, where how a person would do it is another test's matter.
 */

/** A line in an issue that makes the demo agent fail in a known way (resources/demo-agent/faults.mjs). */
export const demoFault = (name: 'hang' | 'crash'): string => `DEMO_FAULT=${name}`

/** Writes an issue in the demo project and gives it to Alfred, who takes it up at once. */
export async function giveIssueToAlfred(
  alfred: AlfredWindow,
  title: string,
  body = '',
): Promise<TrackerIssue> {
  const projects = await alfred.ask<readonly TrackerProject[]>('tracker.listProjects', {})
  const people = await alfred.ask<readonly TrackerPerson[]>('tracker.listPeople', {})
  const projectId = projects.find((project) => project.isDemo)?.id
  const assignees = people.filter((person) => person.isAlfred).map(({ login }) => login)
  return alfred.ask<TrackerIssue>('tracker.createIssue', {
    projectId,
    title,
    body,
    labels: ['type::task'],
    assignees,
  })
}

/** Starts a run that goes on until somebody stops it; its id. */
export async function startEndlessRun(alfred: AlfredWindow, title: string): Promise<number> {
  const { iid } = await giveIssueToAlfred(alfred, title, demoFault('hang'))
  const find = async (): Promise<number> => {
    const { runs } = await alfred.ask<EngineStatus>('app.status', {})
    return runs.find((run) => run.reference === `#${iid}` && run.state === 'running')?.runId ?? 0
  }
  await expect.poll(find, { timeout: 30_000 }).toBeGreaterThan(0)
  return find()
}
