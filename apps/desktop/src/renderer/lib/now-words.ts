import type { QueueWait } from '@shared/contract/waits'

/** Why a queued run does not start yet. */
export const queueReasons: Readonly<Record<QueueWait['reason'], string>> = {
  slot: 'It waits for a slot: as many runs as allowed are live.',
  retry_at: 'It is tried again by itself.',
  paused: 'New runs are paused. It starts when you resume them.',
  image: 'It waits for the agent image to be built.',
  docker: 'It waits for Docker to answer.',
  disk: 'It waits for room on the disk.',
  budget: 'The budget of the day is used. It starts tomorrow, or when you raise the budget.',
}

const preparingSteps: Readonly<Record<string, string>> = {
  repository: 'Bringing the repository up to date',
  session: 'Looking for its memory',
  image: 'Looking for the agent image',
  container: 'Starting the container',
}

/** What a run that starts does now; a step that has no word here is one of the image's building. */
export const preparingText = (step: string): string =>
  preparingSteps[step] ?? `Building the agent image: ${step}`
