import type { RunId } from '@shared/model/ids'
import { chatRefusal } from '../chat-refusal'
import { engine } from '../engine-client'
import { closeOverlay, setNotificationsOpen, useOverlays } from '../overlays'
import { bridge } from '../bridge'
import { showToast } from '../toasts'
import { parseDeepLink } from './deep-links'
import { openView, useNavigation } from './store'
import { isSameView, type View } from './view'

/** Goes where a link from outside the window leads; one that leads nowhere is said to. */
export function followLink(link: string): void {
  const place = parseDeepLink(link)
  if (place === null) {
    showToast({ title: 'A link was not opened', description: refusal(link) })
    return
  }
  leaveOverlay()
  if ('chatOf' in place) void openChatOf(place.chatOf)
  else if ('isNotifications' in place) setNotificationsOpen(true)
  else openView(place)
}

const longestQuoted = 60

/** Only a link that has none but plain letters comes as it was. */
const refusal = (link: string): string =>
  /^alfred:\/\/[a-z0-9/-]+$/i.test(link) && link !== oddLink
    ? `${link.length > longestQuoted ? `${link.slice(0, longestQuoted)}…` : link} leads to nothing that Alfred knows.`
    : 'It holds what no link of Alfred has. Nothing of it was followed.'

/** What the shell says instead of a link with odd letters. */
const oddLink = 'alfred://odd'

/** A question that lies over the window is answered with no: it is asked again when it is time. */
function leaveOverlay(): void {
  if (useOverlays.getState().overlay?.kind === 'quit') bridge().shell.answerQuit('cancel')
  closeOverlay()
}

/** The run's chat; where it cannot be continued the run itself, with the reason. Who went on meanwhile is left there. */
async function openChatOf(runId: RunId): Promise<void> {
  const run: View = { screen: 'run', runId }
  openView(run)
  const chat = await findChat(runId)
  if (chat === null || !isSameView(useNavigation.getState().view, run)) return
  if (typeof chat === 'string') showToast({ title: `Run ${runId} was not continued`, description: chat })
  else openView(chat)
}

/** The chat, else why there is none in words; null: the run's own screen says it. */
async function findChat(runId: RunId): Promise<View | string | null> {
  try {
    const { mailboxId } = await engine.query('runs.get', { runId })
    const { threadId, reason } = await engine.query('chats.canChat', { mailboxId, runId })
    if (threadId !== null) return { screen: 'chat', mailboxId, threadId }
    if (reason !== null) return reason
    const opened = await engine.command('chats.open', { runId })
    return opened.ok
      ? { screen: 'chat', mailboxId, threadId: opened.value.threadId }
      : chatRefusal(opened.error, Date.now())
  } catch {
    return null
  }
}
