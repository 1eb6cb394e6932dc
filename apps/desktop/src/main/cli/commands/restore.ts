import { restoreWords } from '@shared/restore-words'
import { ok } from '@shared/result'
import type { Command } from '../command'
import { exitCodes } from '../failures'

export const restoreCommand: Command = {
  name: 'restore',
  about: 'Puts a damaged database together again from its newest backup and the run folders.',
  positionals: [],
  options: { json: { type: 'boolean', about: 'Print what was restored as JSON.' } },
  details: `The damaged file is kept beside the new one. A database that is whole is left alone.`,
  needs: 'data',
  async run({ restore, args, output }) {
    const restored = await restore()
    if (!restored.ok) return restored
    const report = restored.value
    if (args.flag('json')) output.json(report)
    else if (report === null) output.line('The database is whole: nothing was changed.')
    else {
      const words = restoreWords(report, Date.now())
      output.line(`${words.title}. ${words.restored}`)
      output.line(words.lost)
      for (const [term, value] of words.facts) output.line(`  ${term}: ${value}`)
    }
    return ok(exitCodes.done)
  },
}
