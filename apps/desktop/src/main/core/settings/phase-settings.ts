import { agentPhases, type AgentPhase, type PhaseKey, type SettingValues } from '@shared/model/settings'
import type { Phase } from '@shared/model/words'

/*
 * Agent, provider and model may be set for one phase: there they come before what is set for all of them, whichever
 * scope says either.
 */

type PerPhase = 'AGENT_ADAPTER' | 'AGENT_PROVIDER' | 'AGENT_MODEL'

/** The settings as a run of this phase has them; a chat and a terminal have no own ones. */
export function settingsOfPhase(values: SettingValues, phase: Phase): SettingValues {
  const own = agentPhases.find((candidate) => candidate === phase)
  if (own === undefined) return values
  return {
    ...values,
    AGENT_ADAPTER: values[keyOfPhase('AGENT_ADAPTER', own)] ?? values.AGENT_ADAPTER,
    AGENT_PROVIDER: values[keyOfPhase('AGENT_PROVIDER', own)] ?? values.AGENT_PROVIDER,
    AGENT_MODEL: values[keyOfPhase('AGENT_MODEL', own)] ?? values.AGENT_MODEL,
  }
}

/** The key that sets it for that phase alone. */
export const keyOfPhase = <K extends PerPhase>(key: K, phase: AgentPhase): PhaseKey<K> =>
  `${key}_${phase.toUpperCase() as Uppercase<AgentPhase>}`
