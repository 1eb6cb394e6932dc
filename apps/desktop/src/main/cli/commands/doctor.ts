import type { DoctorLine } from '@shared/contract/app'
import { err, ok } from '@shared/result'
import type { Command } from '../command'
import { describeError, exitCodes } from '../failures'

const marks: Readonly<Record<DoctorLine['state'], string>> = {
  checking: '…',
  passed: 'ok  ',
  failed: 'FAIL',
  optional: 'opt ',
  skipped: 'skip',
}

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'Looks whether everything is there that runs need, with one fix for what is not.',
  positionals: [],
  options: { json: { type: 'boolean', about: 'Print the lines as JSON.' } },
  needs: 'answers',
  async run({ client, args, output }) {
    const isForProgram = args.flag('json')
    const end = await client.follow('app', 'doctorLines', null, (line) => {
      if (isForProgram || line.state === 'checking') return
      output.line(`${marks[line.state]}  ${line.title}: ${line.detail}`)
      if (line.fix)
        output.line(`      ${line.fix.text}${line.fix.command === null ? '' : `  $ ${line.fix.command}`}`)
    })
    try {
      const examined = await client.call('app', 'doctor', {})
      if (!examined.ok) return err({ type: 'failed', message: describeError(examined.error) })
      const { lines } = examined.value
      if (isForProgram) output.json({ lines })
      return ok(lines.some(({ state }) => state === 'failed') ? exitCodes.failed : exitCodes.done)
    } finally {
      end()
    }
  },
}
