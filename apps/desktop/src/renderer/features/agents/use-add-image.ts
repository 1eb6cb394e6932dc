import { useState } from 'react'
import type { SettingScope } from '@shared/model/settings'
import { announce } from '../../lib/announcer'
import { queryClient } from '../../lib/query-client'
import { useCommand } from '../../lib/use-command'
import { queryKeyOf } from '../../lib/use-query-entry'
import { agentsProblem } from './agents-problem'

/** Whose runs work in the image from now on. */
export interface ImageUser {
  readonly scope: SettingScope
  readonly scopeId: number
}

export interface AddImage {
  /** The digest of the image; null: it could not be built, or not be put to use. */
  readonly add: (base: string, user: ImageUser | null) => Promise<string | null>
  readonly cancel: () => void
  readonly clear: () => void
  readonly isBusy: boolean
  readonly problem: string | null
}

/** Builds first and sets afterwards: a base that cannot be built must keep no run from starting. */
export function useAddImage(): AddImage {
  const build = useCommand('app.buildImage')
  const cancel = useCommand('app.cancelImageBuild')
  const set = useCommand('settings.set')
  const [isBusy, setBusy] = useState(false)
  const add: AddImage['add'] = async (base, user) => {
    setBusy(true)
    set.clearError()
    try {
      const built = await build.run({ base })
      if (!built.ok) return null
      if (user !== null) {
        const written = await set.run({ ...user, key: 'AGENT_IMAGE', value: base })
        if (!written.ok) return null
      }
      await queryClient.refetchQueries({ queryKey: queryKeyOf('app.agents', {}) })
      announce('added image', `The image on ${base} is there`)
      return built.value.digest
    } finally {
      setBusy(false)
    }
  }
  return {
    add,
    cancel: () => void cancel.run({}),
    clear: () => {
      build.clearError()
      set.clearError()
    },
    isBusy,
    problem: build.error
      ? agentsProblem(build.error)
      : set.error
        ? `The image is built, but it is not in use: ${agentsProblem(set.error)}`
        : null,
  }
}
