import type { Command } from '../command'
import { done, failed, jsonOption, printJson } from './on-issue'

/** People of the built-in forge beside the one of this computer and Alfred: they have no account, only issues. */
export const issuePersonCommand: Command = {
  name: 'issue person',
  about: 'Adds somebody to whom issues of every project can be assigned.',
  positionals: ['LOGIN'],
  options: {
    name: { type: 'string', value: 'TEXT', about: 'How they are called (default: the login).' },
    json: jsonOption,
  },
  needs: 'answers',
  async run(context) {
    const login = context.args.positionals[0] ?? ''
    const added = await context.client.call('tracker', 'addPerson', {
      login,
      name: context.args.text('name') ?? login,
    })
    if (!added.ok) return failed(added.error)
    if (context.args.flag('json')) return printJson(context, added.value)
    return done(context, `${added.value.name} can be assigned now, as ${added.value.login}.`)
  },
}
