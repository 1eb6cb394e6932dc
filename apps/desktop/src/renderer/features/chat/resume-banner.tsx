import type { ChatThreadDetail } from '@shared/contract/chats'
import { shortId } from '@shared/format'
import { Button } from '../../components/button'
import { CopyId } from '../../components/copy-id'
import { Icon } from '../../components/icon'
import { useMinute } from '../../lib/clock'
import { dismissBanner, useChatNotes } from './chat-notes'
import { bannerWords, stateWords } from './chat-words'

/** What the chat goes on with. Dismissing it changes nothing else. */
export function ResumeBanner({ detail: { chat, freshSince } }: { readonly detail: ChatThreadDetail }) {
  const isDismissed = useChatNotes(({ dismissed }) => dismissed.includes(chat.threadId))
  const now = useMinute()
  if (isDismissed) return null
  const { title, text } = bannerWords(chat, freshSince)
  const state = stateWords(chat, now)
  const hasMemory = chat.nativeSessionId !== null
  return (
    <div className="resume-banner" role="note" data-test="resume-banner">
      <Icon name={hasMemory ? 'link' : 'sprout'} size={16} className="text-accent" />
      <div className="min-w-0">
        <div className="cut">
          <b className="font-semibold">{title}</b> {text}
        </div>
        {hasMemory && (
          <div className="mt-0.5 flex min-w-0 items-center gap-2 text-11 text-ink-2">
            {chat.sessionName !== null && (
              <span className="mono cut" data-test="session-name" title={chat.sessionName}>
                {chat.sessionName}
              </span>
            )}
            <CopyId
              id={chat.nativeSessionId ?? ''}
              text={shortId(chat.nativeSessionId ?? '')}
              what="session id"
              className="flex-none"
              test="native-session-id"
            />
            {state !== null && (
              <span className="flex-none" data-test="session-state-size" data-value={chat.stateBytes ?? ''}>
                {state}
              </span>
            )}
          </div>
        )}
      </div>
      <Button
        size="sm"
        variant="quiet"
        isIconOnly
        icon="x"
        label={hasMemory ? 'Dismiss this note; the chat still continues the session' : 'Dismiss this note'}
        test="dismiss-resume-banner"
        onClick={() => dismissBanner(chat.threadId)}
      />
    </div>
  )
}
