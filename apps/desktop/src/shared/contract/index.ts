import { appContract, demoContract } from './app'
import { chatsContract } from './chats'
import { forgesContract } from './forges'
import { mailboxesContract } from './mailboxes'
import { runsContract } from './runs'
import { sessionsContract } from './sessions'
import { settingsContract } from './settings'
import { terminalsContract } from './terminals'
import { trackerContract } from './tracker'

/** Everything that a client may ask the engine for, by domain. */
export const engineContract = {
  app: appContract,
  chats: chatsContract,
  demo: demoContract,
  forges: forgesContract,
  mailboxes: mailboxesContract,
  runs: runsContract,
  sessions: sessionsContract,
  settings: settingsContract,
  terminals: terminalsContract,
  tracker: trackerContract,
} as const
export type EngineContract = typeof engineContract
