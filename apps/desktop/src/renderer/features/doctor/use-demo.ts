import { useState } from 'react'
import type { Runner } from '@shared/model/words'
import type { CommandError } from '../../lib/engine-client'
import { openHome } from '../../lib/navigation/store'
import { useCommand } from '../../lib/use-command'
import { useQueryEntry } from '../../lib/use-query-entry'

export interface Demo {
  readonly exists: boolean
  readonly isStarting: boolean
  readonly isRemoving: boolean
  readonly problem: string | null
  /** Why a container cannot be used, while the person is asked about the host; null when nobody is asked. */
  readonly asksForHost: string | null
  readonly start: (runner: Runner, consent: boolean) => void
  readonly refuseHost: () => void
  readonly remove: () => void
}

/** Starts the demo and goes to its first issue; without Docker it asks before anything runs on the host. */
export function useDemo(): Demo {
  const { data: projects } = useQueryEntry('mailboxes.projects', {})
  const command = useCommand('demo.start')
  const removal = useCommand('demo.remove')
  const [asksForHost, setAsksForHost] = useState<string | null>(null)
  const demo = projects?.find((project) => project.isDemo)

  const start = async (runner: Runner, consent: boolean): Promise<void> => {
    setAsksForHost(null)
    const result = await command.run({ runner, consent })
    if (result.ok) {
      openHome({
        projectId: result.value.projectId,
        mailboxId: result.value.mailboxIds[0] ?? null,
        filter: 'all-open',
      })
      return
    }
    const { error } = result
    if (error.type === 'docker_unreachable' && runner === 'container') setAsksForHost(error.message)
    else if (error.type === 'consent_needed') setAsksForHost('')
    else if (error.type === 'demo_running' && demo)
      openHome({ projectId: demo.id, mailboxId: null, filter: 'all-open' })
  }
  return {
    exists: demo !== undefined,
    isStarting: command.isBusy,
    isRemoving: removal.isBusy,
    problem:
      problemOf(command.error) ?? (removal.error === null ? null : 'Its runs are live. Stop them first.'),
    asksForHost,
    start: (runner, consent) => void start(runner, consent),
    refuseHost: () => {
      setAsksForHost(null)
      command.clearError()
    },
    remove: () => void removal.run({}),
  }
}

function problemOf(error: CommandError<'demo.start'> | null): string | null {
  switch (error?.type) {
    case undefined:
    case 'consent_needed':
    case 'docker_unreachable':
      return null
    case 'build_failed':
      return `Building the agent image failed at "${error.step}": ${error.message}`
    case 'demo_running':
      return 'It runs already.'
    case 'owner_gone':
    case 'storage_failed':
    case 'invalid_input':
      return error.message
    case 'not_found':
      return `${error.what} is missing.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
  }
}
