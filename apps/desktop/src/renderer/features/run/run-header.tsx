import { useEffect, useRef } from 'react'
import type { RunDetail } from '@shared/contract/runs'
import { mailboxReference } from '@shared/format/references'
import { phaseWords } from '@shared/phase-words'
import { BackButton } from '../../components/back-button'
import { Button } from '../../components/button'
import { Chip } from '../../components/chip'
import { Icon } from '../../components/icon'
import { LiveDot } from '../../components/live-dot'
import { useNow } from '../../lib/clock'
import { useActions } from '../../lib/keyboard/actions'
import { keysOf } from '../../lib/keyboard/key-map'
import { deepLinkOf } from '../../lib/navigation/deep-links'
import { goBack, openHome } from '../../lib/navigation/store'
import { queueReasons } from '../../lib/now-words'
import { askToStop, openOverlay } from '../../lib/overlays'
import { phaseIcons } from '../../lib/phase-icons'
import { copyText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { narrowWindow, useMediaQuery } from '../../lib/use-media-query'
import { useSteady } from '../../lib/use-steady'
import { useContinueAsChat } from '../../lib/use-continue-as-chat'
import { useQueryEntry } from '../../lib/use-query-entry'
import { attemptWords, isLive, stateWords, triggerSentence } from './run-words'

export interface RunHeaderProps {
  readonly detail: RunDetail
  readonly onRetry: () => void
  readonly retryReason: string | null
  readonly isRetrying: boolean
}

/** What run this is, how it stands, and what can be done with it. */
export function RunHeader({ detail, onRetry, retryReason, isRetrying }: RunHeaderProps) {
  const { row, mailboxId, mailboxIid, mailboxTitle } = detail
  const heading = useRef<HTMLHeadingElement>(null)
  // opening a run moves the focus to its name, so that a screen reader says where one is
  useEffect(() => heading.current?.focus({ preventScroll: true }), [row.runId])

  const live = isLive(row)
  const attempt = [useWhyQueued(detail), attemptWords(detail)].filter((words) => words !== null).join(' ')
  const isRoomy = useMediaQuery('(min-width: 1440px)')
  const isNarrow = useMediaQuery(narrowWindow)
  const chat = useContinueAsChat(mailboxId, row.runId)
  const copyLink = (): void => {
    copyText(deepLinkOf({ screen: 'run', runId: row.runId }) ?? '')
    showToast({ title: 'Link copied', description: `alfred://run/${row.runId}` })
  }
  // a fresh start is something else than a retry only where sessions apply
  const hasSession = row.mode !== 'none' && !row.isImported
  const letter = hasSession ? detail.retryLetter : null
  const retryFresh = (): void => openOverlay({ kind: 'retry-fresh', runId: row.runId, letter })
  const stopReason = row.state === 'stopping' ? 'It is stopping already.' : null
  useActions({
    'go-back': { run: goBack },
    'copy-run-link': { run: copyLink },
    ...(chat !== null &&
      (!live || chat.isTurn) && {
        'continue-as-chat': {
          run: chat.run,
          label: chat.isTurn ? `Open the chat of run ${row.runId}` : `Continue run ${row.runId} as chat`,
          disabledReason: chat.reason,
        },
      }),
    ...(live
      ? {
          'stop-run': {
            run: () => askToStop(row.runId),
            label: `Stop run ${row.runId}`,
            disabledReason: stopReason,
          },
        }
      : {
          'retry-run': {
            run: onRetry,
            label: `Retry run ${row.runId}${letter === null ? '' : `, continue memory ${letter}`}`,
            disabledReason: retryReason,
          },
          ...(hasSession && {
            'retry-fresh': {
              run: retryFresh,
              label: `Retry run ${row.runId} fresh`,
              disabledReason: retryReason,
            },
          }),
        }),
  })

  return (
    <>
      <div className="flex min-w-0 items-center gap-2 text-12 text-ink-2">
        <BackButton />
        <button
          type="button"
          className="flex min-w-0 grow items-center gap-2 text-left"
          title={mailboxTitle}
          onClick={() => openHome({ mailboxId, projectId: null, filter: 'all-open', runId: row.runId })}
        >
          <span className="flex-none text-ink-3">
            {mailboxReference(detail.mailboxKind, mailboxIid, detail.forgeKind)}
          </span>
          <span className="cut">{mailboxTitle}</span>
        </button>
        <span className="wide-only flex-none text-ink-3" data-test="run-trigger" data-value={detail.trigger}>
          {triggerSentence(detail)}
        </span>
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Icon name={phaseIcons[row.phase]} size={18} className="text-ink-2" />
        <h1 ref={heading} tabIndex={-1} className="flex-none rounded-[3px] text-16 font-semibold">
          {phaseWords[row.phase]}
        </h1>
        <span className="flex-none text-14 text-ink-3" data-test="run-id" data-value={row.runId}>
          {`run ${row.runId}`}
        </span>
        <RunState detail={detail} />
        <span
          className="cut flex-[1_1_60px] text-12 text-ink-3"
          data-test="run-attempt"
          data-value={detail.attempts.at(-1)?.number ?? ''}
          title={attempt}
        >
          {attempt}
        </span>
        {chat !== null && (!live || chat.isTurn) && (
          <Button
            isIconOnly={isNarrow}
            icon="message"
            label={chat.isTurn ? 'Open chat' : 'Continue as chat'}
            keys={keysOf('continue-as-chat')}
            disabledReason={chat.reason}
            isBusy={chat.isBusy}
            test="continue-as-chat"
            onClick={chat.run}
          />
        )}
        <Button
          isIconOnly={!isRoomy}
          icon="copy"
          label={isRoomy ? 'Link' : 'Copy the link of this run'}
          spokenLabel="Copy the link of this run"
          test="copy-run-link"
          onClick={copyLink}
        />
        {live ? (
          <Button
            isIconOnly={isNarrow}
            variant="danger"
            icon="square"
            label="Stop"
            keys={keysOf('stop-run')}
            disabledReason={stopReason}
            test="stop-run"
            onClick={() => askToStop(row.runId)}
          />
        ) : (
          <>
            <Button
              isIconOnly={isNarrow}
              icon="retry"
              label="Retry"
              keys={keysOf('retry-run')}
              disabledReason={retryReason}
              isBusy={isRetrying}
              test="retry-run"
              onClick={onRetry}
            />
            {hasSession && (
              <Button
                isIconOnly={!isRoomy}
                icon="sprout"
                label="Retry fresh"
                keys={keysOf('retry-fresh')}
                disabledReason={retryReason}
                test="retry-fresh"
                onClick={retryFresh}
              />
            )}
          </>
        )}
      </div>
    </>
  )
}

/** Why a queued run does not start yet; null: it is not queued, or another run of the issue stands before it. */
function useWhyQueued({ row, mailboxId }: RunDetail): string | null {
  const { data } = useQueryEntry('mailboxes.get', { mailboxId }, { enabled: row.state === 'queued' })
  const now = data?.now
  return now?.kind === 'queued' && now.runId === row.runId ? queueReasons[now.reason] : null
}

function RunState({ detail }: { readonly detail: RunDetail }) {
  const { row } = detail
  const live = isLive(row)
  const words = useSteady(stateWords(detail, useNow(live)), `${row.state} ${row.outcome ?? ''}`)
  return (
    <span
      data-test="run-state"
      data-value={row.state === 'ended' ? (row.outcome ?? '') : row.state}
      className="flex-none"
    >
      {live && row.state !== 'queued' ? (
        <span className={words.tone === 'warn' ? 'chip tone-warn' : 'chip tone-run'}>
          <LiveDot className="mx-1 size-1.5" />
          {words.text}
        </span>
      ) : (
        <Chip text={words.text} tone={words.tone} icon={words.icon ?? undefined} />
      )}
    </span>
  )
}
