import type { FaultGroup } from './fault'

const waits = {
  run: 'waits',
  also: 'the run begins by itself once Docker answers, and has used up no attempt',
} as const

export const engineFaults: FaultGroup = {
  title: 'Docker and the agent image',
  faults: [
    {
      id: 'docker-missing',
      fault: 'Docker is not there',
      produced: 'DOCKER_ENDPOINT (in the window: DOCKER_HOST) names a socket that does not exist',
      words: [
        'Docker not reachable',
        'Docker is not reachable. No run was interrupted; new ones wait. Tried unix:///nonexistent/… every 5s since ….',
        'Analysis is queued It waits for Docker to answer.',
      ],
      after: waits,
      inWindow: true,
    },
    {
      id: 'docker-not-permitted',
      fault: 'Docker refuses this user',
      produced:
        'a socket without any rights, and alfred as a process that may not overrule them (root without CAP_DAC_OVERRIDE)',
      words: [
        'Docker refuses this user',
        'Docker refuses this user. You may not use unix://…. Runs wait until you may; Diagnostics has the one command that helps.',
        'It waits for Docker to answer.',
      ],
      after: { run: 'waits' },
    },
    {
      id: 'docker-forbidden',
      fault: 'Docker forbids every call',
      produced: 'a stand-in on a socket that answers 403 like an authorization plugin',
      words: ['Docker refuses this user', 'Docker refuses this user. You may not use unix://….'],
      after: { run: 'waits' },
    },
    {
      id: 'docker-old',
      fault: 'Docker is too old',
      produced: 'a stand-in on a socket that says API 1.30, as Docker 17.06 does',
      words: [
        'Docker is too old',
        'This Docker is too old. unix://… speaks API 1.30; Alfred needs 1.40. Runs wait until there is a newer one; nothing is lost.',
        'It waits for Docker to answer.',
      ],
      after: waits,
    },
    {
      id: 'image-missing',
      fault: 'The agent image is not there and cannot be had',
      produced: 'AGENT_IMAGE names an image of a registry on a closed port of this computer',
      words: [
        'The agent image is not there. No container was started. Build the image, then retry.',
        'The agent image could not be made: pulling localhost:1/alfred/none:1: …',
      ],
      after: { run: 'failed', failure: 'image_missing' },
      inWindow: true,
    },
    {
      id: 'out-of-memory',
      fault: 'The container runs out of memory',
      produced: 'the demo agent told to fill it, with a limit of 128 MB',
      words: [
        'The container ran out of memory (limit 128 MB). The work is kept in the workspace. A retry with more raises the memory limit of this project.',
      ],
      after: {
        run: 'out_of_memory',
        failure: 'out_of_memory',
        also: '“Retry with 256 MB” raises RUN_MEMORY of the project and begins a run with it',
      },
      inWindow: true,
    },
  ],
}
