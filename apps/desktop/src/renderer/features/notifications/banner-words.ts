import type { EngineBanner } from '@shared/contract/app'
import { formatBytes, formatDuration } from '@shared/format'
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
          number(facts, 'freeBytes') === null ? null : `${formatBytes(number(facts, 'freeBytes'))} are free.`,
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
        title: `The ${word(facts, 'adapter') ?? 'agent'} account is out of usage.`,
        text: joined(
          `New ${word(facts, 'adapter') ?? 'such'} runs wait and use up no attempt.`,
          nextTry(facts, now),
          'Other adapters go on.',
        ),
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

function interrupted(facts: Facts): string {
  const count = number(facts, 'interrupted') ?? number(facts, 'runs') ?? 0
  if (count === 0) return 'No run was interrupted; new ones wait.'
  return count === 1
    ? '1 run is interrupted, nothing is lost.'
    : `${count} runs are interrupted, nothing is lost.`
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
