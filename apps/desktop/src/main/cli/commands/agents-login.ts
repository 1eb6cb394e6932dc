import { waitAtEnd, type SignInEvent } from '@shared/contract/terminals'
import { adapterIdSchema, type AdapterId } from '@shared/model/words'
import { err, ok } from '@shared/result'
import { detachKeyWords } from '../attach/detach-key'
import { relayTerminal, type RelayEnd } from '../attach/relay-terminal'
import type { Command, CommandContext, CommandResult } from '../command'
import { exitCodes } from '../failures'

type LastWord = Extract<SignInEvent, { readonly type: 'failed' | 'checked' }>

export const agentsLoginCommand: Command = {
  name: 'agents login',
  about: "Signs an agent in: opens its CLI's own login here.",
  positionals: ['ADAPTER'],
  options: {
    [waitAtEnd]: {
      type: 'boolean',
      about: 'Wait for Enter at the end, unless it was left: for a window that closes with this command.',
    },
  },
  details: `${detachKeyWords} ends it. What it writes goes to .agent-credentials in the data folder, which runs can only read; your own login files on this computer are neither read nor changed.`,
  needs: 'answers',
  async run(context) {
    const { client, args, terminal, output, signal } = context
    const adapter = adapterIdSchema.safeParse(args.positionals[0])
    if (!adapter.success) return failed(`There is no agent ${args.positionals[0] ?? ''}.`)
    if (terminal === null)
      return failed('alfred agents login shows a screen: its input and output must be a terminal.')
    output.progress(`Opens the login of ${adapter.data}. ${detachKeyWords} ends it.`)
    const who = `alfred agents login, process ${process.pid}`
    const last: { word: LastWord | null } = { word: null }
    const end = await relayTerminal({
      client,
      terminal,
      signal,
      follow: (size, onEvent) =>
        client.follow('terminals', 'signIn', { adapter: adapter.data, who, ...size }, (event) => {
          if (event.type !== 'failed' && event.type !== 'checked') return onEvent(event)
          last.word = event
          onEvent({ type: 'ended' })
        }),
    })
    return tellEnd(context, adapter.data, end, last.word)
  },
}

const failed = (message: string) => err({ type: 'failed', message } as const)

function tellEnd(
  context: CommandContext,
  adapter: AdapterId,
  end: RelayEnd,
  last: LastWord | null,
): CommandResult {
  const again = `alfred agents login ${adapter}`
  switch (end.type) {
    case 'detached':
      context.onLeft()
      return failed(`The login of ${adapter} was left, and has ended. To begin it again: ${again}`)
    case 'held':
    case 'taken_over':
      return failed(`Somebody signs ${adapter} in already: ${end.who}. Go on there, or end it there first.`)
    case 'engine_gone':
      return failed(`Alfred was quit, and the login of ${adapter} has ended. To begin it again: ${again}`)
    case 'ended':
      return last?.type === 'checked'
        ? tellCheck(context, adapter, last)
        : failed(last?.message ?? `The login of ${adapter} has ended.`)
  }
}

function tellCheck(
  { output, spell }: CommandContext,
  adapter: AdapterId,
  { loginState, exitCode }: Extract<LastWord, { readonly type: 'checked' }>,
): CommandResult {
  switch (loginState) {
    case 'found':
    case 'not_needed':
      output.progress(`${adapter} is signed in.`)
      return ok(exitCodes.done)
    case 'unknown':
      output.progress(
        spell(
          `Whether ${adapter} is signed in only its provider knows, since AGENT_PROVIDER names another one. To ask it: alfred agents ask ${adapter}`,
        ),
      )
      return ok(exitCodes.done)
    case 'expired':
    case 'missing': {
      const how =
        exitCode === null ? 'was ended' : exitCode === 0 ? 'has ended' : `ended with exit code ${exitCode}`
      const what = loginState === 'expired' ? 'left a login that has expired' : 'wrote no login'
      return failed(`${adapter} is not signed in: its login ${how} and ${what}.`)
    }
  }
}
