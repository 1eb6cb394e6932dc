import { useEffect, useState } from 'react'
import type { SettingKey, SettingScope } from '@shared/model/settings'
import type { CommandError } from '../../lib/engine-client'
import { useCommand } from '../../lib/use-command'
import { checkValue } from './check-value'
import type { Parsed } from './value-formats'

export interface SettingPlace {
  readonly scope: SettingScope
  readonly scopeId: number
}

export interface SettingWriter {
  readonly isBusy: boolean
  /** Why the last value was not taken. */
  readonly error: string | null
  readonly set: (value: unknown, onWritten?: () => void) => void
  /** The value that is not written before the person agrees to what it means; null: nothing is asked. */
  readonly asked: { readonly value: unknown; readonly onWritten: (() => void) | undefined } | null
  readonly agree: () => void
  readonly decline: () => void
  readonly reset: () => void
  readonly refuse: (message: string) => void
  readonly clear: () => void
}

/** Writes one setting for one scope; what the engine refuses is said in place, and what it asks is asked. */
export function useSettingWriter(key: SettingKey, place: SettingPlace): SettingWriter {
  const set = useCommand('settings.set')
  const reset = useCommand('settings.reset')
  const [refused, setRefused] = useState<string | null>(null)
  const [asked, setAsked] = useState<SettingWriter['asked']>(null)
  const setError = set.error?.type === 'consent_needed' ? null : set.error
  const error = setError ?? reset.error
  const write = async (value: unknown, consent: boolean, onWritten?: () => void): Promise<void> => {
    const problem = checkValue(key, value)
    setRefused(problem)
    if (problem !== null) return
    const result = await set.run({ ...place, key, value, consent })
    if (result.ok) onWritten?.()
    else if (result.error.type === 'consent_needed') setAsked({ value, onWritten })
  }
  return {
    isBusy: set.isBusy || reset.isBusy,
    error: refused ?? (error === null ? null : writeProblem(error)),
    set: (value, onWritten) => void write(value, false, onWritten),
    asked,
    agree: () => {
      setAsked(null)
      if (asked !== null) void write(asked.value, true, asked.onWritten)
    },
    decline: () => setAsked(null),
    reset: () => {
      setRefused(null)
      void reset.run({ ...place, key })
    },
    refuse: setRefused,
    clear: () => {
      setRefused(null)
      set.clearError()
    },
  }
}

export function writeProblem(error: CommandError<'settings.set'>): string {
  switch (error.type) {
    case 'invalid_value':
    case 'wrong_scope':
    case 'consent_needed':
    case 'invalid_input':
    case 'owner_gone':
    case 'storage_failed':
      return error.message
    case 'not_found':
      return `${error.what} is not there any more.`
    case 'unexpected':
      return `Alfred itself failed. The log has it under ${error.incidentId}.`
  }
}

export interface Draft {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Writes what was typed, if it differs and can be read. */
  readonly commit: () => void
  readonly cancel: () => void
}

/** Text that is typed and written when the field is left; `stored` is what stands there otherwise. */
export function useDraft<T>(
  stored: string,
  parse: (text: string) => Parsed<T>,
  writer: SettingWriter,
): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  // a new value from elsewhere (a reset, another scope) takes the place of what was typed before
  useEffect(() => setDraft(null), [stored])
  return {
    text: draft ?? stored,
    onChange: (text) => {
      setDraft(text)
      writer.clear()
    },
    commit: () => {
      if (draft === null || draft === stored) return
      const parsed = parse(draft)
      if (parsed.ok) writer.set(parsed.value)
      else writer.refuse(parsed.message)
    },
    cancel: () => {
      setDraft(null)
      writer.clear()
    },
  }
}
