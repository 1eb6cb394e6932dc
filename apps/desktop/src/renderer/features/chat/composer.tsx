import { useEffect, useRef, type KeyboardEvent, type SyntheticEvent } from 'react'
import type { ChatThreadDetail } from '@shared/contract/chats'
import { formatContext } from '@shared/format/tokens'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'
import { Meter } from '../../components/meter'
import { Notice } from '../../components/notice'
import { limitWords, pastedFiles } from './attach-files'
import { Attachments } from './attachments'
import { contextWarning } from './chat-words'
import type { Turns } from './use-turns'

/** Where the next message is written. What is in it stays until it was sent. */
export function Composer({ detail, turns }: { readonly detail: ChatThreadDetail; readonly turns: Turns }) {
  const { chat, contextUsed, contextMax } = detail
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  /** A text is pasted as ever; files and pictures go along. */
  const takeFiles = (event: SyntheticEvent, data: DataTransfer): void => {
    const files = pastedFiles(data)
    if (files.length === 0) return
    event.preventDefault()
    turns.attach(files)
  }
  // opening a chat is for saying something
  useEffect(() => box.current?.focus({ preventScroll: true }), [chat.threadId])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    // a key that is held down says it once
    if (!event.repeat) turns.send()
  }
  const percent = percentOf(contextUsed, contextMax)
  const isEmpty = turns.text.trim() === ''
  return (
    <div className="chat-foot">
      <ContextWarning detail={detail} />
      {turns.problem !== null && (
        <Notice tone="bad" icon="circle-x" title="The message was not sent." isAlert test="send-problem">
          {`${turns.problem} It stays here.`}
        </Notice>
      )}
      {turns.attachProblem !== null && (
        <Notice tone="warn" icon="warning" title="Not attached." isAlert test="attach-problem">
          {turns.attachProblem}
        </Notice>
      )}
      <div
        className="composer"
        data-test="chat-composer"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => takeFiles(event, event.dataTransfer)}
      >
        <Attachments attachments={detail.attachments} onRemove={turns.detach} />
        <textarea
          ref={box}
          className="composer-text"
          aria-label="Message"
          placeholder={placeholderOf(turns)}
          rows={2}
          value={turns.text}
          data-test="chat-text"
          data-pane-focus
          onChange={(event) => turns.setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => takeFiles(event, event.clipboardData)}
        />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-hidden
          tabIndex={-1}
          data-test="attach-files"
          onChange={(event) => {
            turns.attach([...(event.target.files ?? [])])
            // the same file may be chosen again
            event.target.value = ''
          }}
        />
        <div className="composer-bar">
          <Button
            size="sm"
            variant="quiet"
            isIconOnly
            icon="paperclip"
            label={`Attach files: ${limitWords}`}
            test="attach"
            onClick={() => picker.current?.click()}
          />
          <Icon name="lock" size={12} />
          <span className="cut min-w-0">
            {`Same sandbox as run ${chat.runId} · nothing is pushed until you say so`}
          </span>
          <span className="grow" />
          <span className="flex-none" title={formatContext(contextUsed, contextMax)}>
            {percent === null ? 'context unknown' : `context ${percent} %`}
          </span>
          {percent !== null && (
            <span className="composer-meter">
              <Meter
                label="Context"
                used={contextUsed}
                max={contextMax}
                valueText={formatContext(contextUsed, contextMax)}
                test="context-meter"
              />
            </span>
          )}
          {turns.live !== null && (
            <Button
              variant="danger"
              icon="square"
              label="Stop"
              keys="Esc"
              isBusy={turns.live.row.state === 'stopping'}
              test="stop-turn"
              onClick={turns.stop}
            />
          )}
          <Button
            variant="primary"
            icon={turns.isQueued ? 'check' : 'arrow-up'}
            label={sendLabel(turns)}
            keys="Enter"
            disabledReason={isEmpty ? 'Nothing is written yet.' : null}
            isBusy={turns.isBusy}
            test="send-message"
            onClick={turns.send}
          />
        </div>
      </div>
    </div>
  )
}

function placeholderOf({ live, waitsFor }: Turns): string {
  if (live !== null) return 'Write the next message. It is sent when this turn ends.'
  if (waitsFor !== null) return `Run ${waitsFor} of this issue is live. A message is sent when it ends.`
  return 'Write a message.'
}

function sendLabel({ waitsFor, isQueued }: Turns): string {
  if (waitsFor === null) return 'Send'
  return isQueued ? 'Queued' : 'Queue'
}

const percentOf = (used: number | null, max: number | null): number | null =>
  used === null || max === null || max <= 0 ? null : Math.round((used / max) * 100)

function ContextWarning({ detail }: { readonly detail: ChatThreadDetail }) {
  const warning = contextWarning(detail.contextUsed, detail.contextMax)
  if (warning === null) return null
  return (
    <Notice tone={warning.tone} icon="warning" title={warning.title} test="context-warning">
      {warning.text}
    </Notice>
  )
}
