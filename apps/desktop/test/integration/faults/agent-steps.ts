import type { FakeStep } from '@main/adapters/agents/fake/fake-agent-program'

/*
 * What the scripted agent does in rows of the table, for the tests of the engine and of the window alike.
 */

export const init: FakeStep = { print: { type: 'init', session_id: '$ID' } }
export const save: FakeStep = { save: '{}' }
export const done: FakeStep = { print: { type: 'result', is_error: false, text: 'The plan.' } }
export const said = (text: string): FakeStep => ({ print: { type: 'text', text } })
export const commit: FakeStep = { shell: "echo x > a.txt && git add a.txt && git commit -qm 'Add a'" }

/** Writes `result.json` as the agent would; the text may hold no `'`. */
export const result = (text: string): FakeStep => ({
  shell: `printf '%s' '${text}' > /alfred/out/result.json`,
})

/** Of the row `result-without-plan`. */
export const resultWithoutPlan = result('{"version":1,"phase":"analysis","outcome":"done"}')

/** Of the row `control-sequences`. */
export const controlSequences: readonly FakeStep[] = [
  {
    shell: String.raw`printf '\033[31mred\033[0m and plain\n\033]0;owned\007title gone\n\033]52;c;b3duZWQ=\007clipboard gone\n\033]8;;http://evil.invalid\033\\link text\033]8;;\033\\\nbell \007\033[2J\033[H\n'`,
  },
  said('inside JSON: \u001b[31mred\u001b[0m\u001b]0;owned\u0007'),
]

/** Known to the engine by this variable of its environment. */
export const secretVariable = 'ALFRED_TOKEN_PLANTED'
export const plantedSecret = 'Pl4nted/secret+value="quoted" & uml\u00e4ut'

export const base64Of = (before: number): string =>
  Buffer.from(`${'u'.repeat(before)}${plantedSecret}`).toString('base64')

const escaped = [...plantedSecret]
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  .join('')
const command = `echo ${plantedSecret}`

const paddedLine = (number: number): string =>
  JSON.stringify({ type: 'text', text: `burst ${number} ${plantedSecret} ${'x'.repeat(1_000)}` })

/** Of the row `secret-in-burst`: much more at once than is stored row by row. */
export const secretInBurst: FakeStep = {
  print: Array.from({ length: 1_000 }, (_, number) => paddedLine(number)).join('\n'),
}

/** Of the row `secret-printed`. */
export const secretInEveryShape: readonly FakeStep[] = [
  said(`raw ${plantedSecret}.`),
  said(`base64 ${base64Of(0)} ${base64Of(1)} ${base64Of(2)}`),
  said(`url ${encodeURIComponent(plantedSecret)}.`),
  { print: `{"type":"text","text":"escaped ${escaped}"}` },
  { print: { type: 'tool', id: '1', name: 'Shell', summary: command, input: { command } } },
  { print: { type: 'tool_result', id: '1', output: `said ${plantedSecret}` } },
  { print: `a plain line with ${plantedSecret} in it` },
  { print: `${'x'.repeat(16_370)}${plantedSecret}${'x'.repeat(5_000_000)}` },
  { printError: `on standard error ${plantedSecret}` },
]
