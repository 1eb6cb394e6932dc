import { useRef, useState } from 'react'
import { engine, type CommandError, type CommandOutput } from '../../lib/engine-client'

/** What a check of a field found; each field is checked as it is left, and again when what it depends on changes. */
export type Checked<T, E> =
  | { readonly state: 'unknown' }
  | { readonly state: 'checking' }
  | { readonly state: 'good'; readonly value: T }
  | { readonly state: 'bad'; readonly error: E }

export type CheckedServer = Checked<CommandOutput<'forges.identify'>, CommandError<'forges.identify'>>
export type CheckedToken = Checked<CommandOutput<'forges.checkToken'>, CommandError<'forges.checkToken'>>

export interface Access {
  readonly url: string
  readonly caFile: string | null
  readonly token: string | null
}

export interface ConnectDraft {
  readonly access: Access
  readonly text: { readonly url: string; readonly caFile: string; readonly token: string }
  readonly server: CheckedServer
  readonly token: CheckedToken
  readonly write: (change: Partial<ConnectDraft['text']>) => void
  /** A field was left: asks the forge, unless this very text was checked already. */
  readonly check: () => void
}

const unknown = { state: 'unknown' } as const
const checking = { state: 'checking' } as const

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** What a person has typed of a forge that is to be connected, and what is known of it. */
export function useConnectDraft(): ConnectDraft {
  const [text, setText] = useState({ url: '', caFile: '', token: '' })
  const [server, setServer] = useState<CheckedServer>(unknown)
  const [token, setToken] = useState<CheckedToken>(unknown)
  const asked = useRef('')
  const access: Access = { url: text.url.trim(), caFile: orNull(text.caFile), token: orNull(text.token) }

  const check = async (): Promise<void> => {
    const question = JSON.stringify(access)
    if (question === asked.current) return
    asked.current = question
    const isCurrent = (): boolean => asked.current === question
    if (access.url === '') {
      setServer(unknown)
      setToken(unknown)
      return
    }
    setServer(checking)
    setToken(access.token === null ? unknown : checking)
    const identified = await engine.command('forges.identify', access)
    if (!isCurrent()) return
    setServer(toChecked(identified))
    if (!identified.ok) {
      setToken(unknown)
      return
    }
    // Without one typed in: there may be one in the environment.
    const examined = await engine.command('forges.checkToken', access)
    if (!isCurrent()) return
    setToken(!examined.ok && examined.error.type === 'token_missing' ? unknown : toChecked(examined))
  }

  return {
    access,
    text,
    server,
    token,
    write: (change) => setText((before) => ({ ...before, ...change })),
    check: () => void check(),
  }
}

function toChecked<T, E>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E },
): Checked<T, E> {
  return result.ok ? { state: 'good', value: result.value } : { state: 'bad', error: result.error }
}
