import type { EngineBanner } from '@shared/contract/app'
import { counted, formatBytes, formatDuration } from '@shared/format'
import { formatTime } from '@shared/format/times'
import type { IconName } from '../../components/icon'

export interface BannerWords {
  readonly icon: IconName
  readonly test: string
  /** What happened. */
  readonly title: string
  /** What it means for the work, and what happens by itself. */
  readonly text: string
}

type Facts = EngineBanner['facts']

const number = (facts: Facts, key: string): number | null =>
  typeof facts[key] === 'number' ? facts[key] : null
const word = (facts: Facts, key: string): string | null =>
  typeof facts[key] === 'string' ? facts[key] : null
const joined = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' ')

/** The words for what the engine reports, with the facts that it knows. */
export function bannerWords({ code, facts }: Pick<EngineBanner, 'code' | 'facts'>, now: number): BannerWords {
  switch (code) {
    case 'docker_unreachable':
      return {
        icon: 'plug',
        test: 'error-docker',
        title: 'Docker is not reachable.',
        text: joined(interrupted(facts), tried(facts, now)),
      }
    case 'docker_not_permitted':
      return {
        icon: 'shield-x',
        test: 'error-docker-permission',
        title: 'Docker refuses this user.',
        text: joined(
          word(facts, 'endpoint') && `You may not use ${word(facts, 'endpoint')}.`,
          'Runs wait until you may; Diagnostics has the one command that helps.',
        ),
      }
    case 'docker_too_old':
      return {
        icon: 'package-x',
        test: 'error-docker-too-old',
        title: 'This Docker is too old.',
        text: joined(
          word(facts, 'message') && `${word(facts, 'message')}.`,
          'Runs wait until there is a newer one; nothing is lost.',
        ),
      }
    case 'disk_full':
      return {
        icon: 'hard-drive',
        test: 'error-disk-full',
        title: 'The disk is full.',
        text: joined(
          'No new run starts. Live runs keep their last saved events.',
          finishedWorkspaces(facts) ??
            (number(facts, 'freeBytes') === null
              ? null
              : `${formatBytes(number(facts, 'freeBytes'))} are free.`),
        ),
      }
    case 'database_locked':
      return {
        icon: 'lock',
        test: 'error-database-locked',
        title: 'Another program locks the database.',
        text: joined('No new run starts. Live runs go on and are stored when it lets go.', since(facts, now)),
      }
    case 'not_writable':
      return {
        icon: 'folder',
        test: 'error-not-writable',
        title: 'The data folder cannot be written.',
        text: joined('No new run starts. Live runs go on and are stored when it can.', since(facts, now)),
      }
    case 'database_damaged':
      return {
        icon: 'database',
        test: 'error-database-damaged',
        title: 'The database is damaged.',
        text: 'No new run starts; containers go on. Quit Alfred and start it again: it offers to restore the database.',
      }
    case 'login_missing':
      return {
        icon: 'lock',
        test: 'error-login-missing',
        title: `${word(facts, 'adapter') ?? 'The agent'} is not signed in.`,
        text: joined('Its runs wait instead of failing.', nextTry(facts, now)),
      }
    case 'account_limit':
      return {
        icon: 'clock',
        test: 'error-account-limit',
        title: `The ${word(facts, 'adapter') ?? 'agent'} account is out of usage${until(facts, now)}.`,
        text: joined(
          `New ${word(facts, 'adapter') ?? 'such'} runs wait and use up no attempt.`,
          until(facts, now) === '' ? nextTry(facts, now) : null,
          'Other adapters go on.',
        ),
      }
    case 'forge_unreachable':
      return isOfCertificate(facts)
        ? {
            icon: 'shield-x',
            test: 'error-forge-certificate',
            title: `The certificate of ${forge(facts)} is not trusted.`,
            text: joined('Runs go on.', waitingPosts(facts), 'Give the CA file of the forge.'),
          }
        : {
            icon: 'plug',
            test: 'error-forge-unreachable',
            title: `${forge(facts)} does not answer${httpStatus(facts)}.`,
            text: joined(
              posts(facts) === null ? 'Runs go on.' : `Runs go on; ${posts(facts)} in the outbox.`,
              untilNext(facts, now),
              lastAnswer(facts, now),
            ),
          }
    case 'forge_rate_limited':
      return {
        icon: 'clock',
        test: 'error-forge-rate-limited',
        title: `${forge(facts)} asked Alfred to slow down${httpStatus(facts)}.`,
        text: joined(
          number(facts, 'until') === null
            ? 'Polling goes on by itself.'
            : `Polling goes on by itself at ${formatTime(number(facts, 'until') ?? now, { now })}.`,
          waitingPosts(facts),
          'Runs and Stop work.',
        ),
      }
    case 'forge_token':
      return {
        icon: 'lock',
        test: 'error-forge-token',
        title:
          number(facts, 'status') === null
            ? `${forge(facts)} is not asked.`
            : `${forge(facts)} refused the token${httpStatus(facts)}.`,
        text: joined(
          number(facts, 'status') === null
            ? (word(facts, 'message')?.replace(/^The forge is not asked: /, '') ?? null)
            : null,
          `Polling is paused for ${counted(number(facts, 'projects') ?? 1, 'project')}; live runs go on and their results wait here.`,
        ),
      }
    case 'forge_project':
      return {
        icon: 'circle-x',
        test: 'error-forge-project',
        title: `${word(facts, 'project') ?? 'A project'} cannot be polled.`,
        text: joined(word(facts, 'message'), 'Its runs go on; their results wait here.'),
      }
    case 'image_missing':
      return {
        icon: 'package',
        test: 'error-image-missing',
        title: 'The agent image could not be built.',
        text: joined(
          word(facts, 'message') && `${word(facts, 'message')}.`.replace(/\.\.$/, '.'),
          'No run can start in a container without it. Nothing is lost.',
        ),
      }
  }
}

const forge = (facts: Facts): string => word(facts, 'forge') ?? 'The forge'

const httpStatus = (facts: Facts): string =>
  number(facts, 'status') === null ? '' : ` (HTTP ${number(facts, 'status')})`

const isOfCertificate = (facts: Facts): boolean => /certificate/i.test(word(facts, 'message') ?? '')

/** `3 posts wait`; null: none does. */
function posts(facts: Facts): string | null {
  const count = number(facts, 'posts') ?? 0
  return count === 0 ? null : `${counted(count, 'post')} ${count === 1 ? 'waits' : 'wait'}`
}

const waitingPosts = (facts: Facts): string | null => {
  const waiting = posts(facts)
  return waiting === null ? null : `${waiting} in the outbox.`
}

/** In steps, since it is not drawn each second. */
const stepMs = 5_000

function untilNext(facts: Facts, now: number): string | null {
  const at = number(facts, 'until')
  if (at === null) return null
  return at <= now ? 'Trying now.' : `Next try in ${formatDuration(Math.ceil((at - now) / stepMs) * stepMs)}.`
}

function lastAnswer(facts: Facts, now: number): string | null {
  const at = number(facts, 'lastAnswerAt')
  return at === null ? null : `Last whole answer ${formatTime(at, { now })}.`
}

/** What can be freed at once; null: nothing that is known. */
export function finishedWorkspaces(facts: Facts): string | null {
  const count = number(facts, 'workspaces') ?? 0
  if (count === 0) return null
  const whose = count === 1 ? 'a finished issue holds' : 'finished issues hold'
  return `${counted(count, 'workspace')} of ${whose} ${formatBytes(number(facts, 'workspaceBytes'))}.`
}

function interrupted(facts: Facts): string {
  const count = number(facts, 'interrupted') ?? number(facts, 'runs') ?? 0
  if (count === 0) return 'No run was interrupted; new ones wait.'
  return count === 1
    ? '1 run is interrupted, nothing is lost.'
    : `${count} runs are interrupted, nothing is lost.`
}

/** ` until 16:00`, as the provider told; empty: it did not, or that is over. */
function until(facts: Facts, now: number): string {
  const at = number(facts, 'freeAt')
  return at === null || at <= now ? '' : ` until ${formatTime(at, { now })}`
}

function nextTry(facts: Facts, now: number): string | null {
  const at = number(facts, 'until')
  return at === null ? null : `Alfred looks again at ${formatTime(at, { now })}.`
}

function tried(facts: Facts, now: number): string | null {
  const endpoint = word(facts, 'endpoint')
  if (endpoint === null) return since(facts, now)
  const every = number(facts, 'interval')
  const from = number(facts, 'since')
  return `Tried ${endpoint}${every === null ? '' : ` every ${formatDuration(every)}`}${from === null ? '' : ` since ${formatTime(from, { now })}`}.`
}

function since(facts: Facts, now: number): string | null {
  const from = number(facts, 'since')
  return from === null ? null : `Tried again and again since ${formatTime(from, { now })}.`
}

const rank = { bad: 0, warn: 1, info: 2 } as const

/** The worst first; among equals as the engine gives them. */
export const worstFirst = (banners: readonly EngineBanner[]): readonly EngineBanner[] =>
  banners.toSorted((a, b) => rank[a.severity] - rank[b.severity])
