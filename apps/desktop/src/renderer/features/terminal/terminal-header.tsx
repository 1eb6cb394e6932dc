import type { ReactNode } from 'react'
import { shortId } from '@shared/format'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { Icon } from '../../components/icon'
import { goBack } from '../../lib/navigation/store'

export interface TerminalHeaderProps {
  readonly sessionName: string | null
  readonly nativeId: string | null
  /** The way to the chat of the same memory, with why it waits. */
  readonly chat: { readonly reason: string | null; readonly open: () => void } | null
  /** How it stands, and what can be done with it. */
  readonly children: ReactNode
}

/** Which session the terminal is on. */
export function TerminalHeader({ sessionName, nativeId, chat, children }: TerminalHeaderProps) {
  return (
    <header className="chat-head">
      <span className="narrow-only">
        <Button size="sm" variant="quiet" icon="arrow-left" label="Back" onClick={goBack} />
      </span>
      <span className="terminal-switch">
        {chat !== null && (
          <Button
            size="sm"
            variant="quiet"
            icon="message"
            label="Chat"
            disabledReason={chat.reason}
            test="show-chat"
            onClick={chat.open}
          />
        )}
        <span className="terminal-here">
          <Icon name="terminal" size={14} />
          Terminal
        </span>
      </span>
      <h1 className="mono cut min-w-0 text-12" data-test="session-name" title={sessionName ?? undefined}>
        {sessionName ?? 'Terminal'}
      </h1>
      {nativeId !== null && (
        <CopyId
          id={nativeId}
          text={shortId(nativeId)}
          what="session id"
          className="flex-none"
          test="native-session-id"
        />
      )}
      <span className="grow" />
      {children}
    </header>
  )
}
