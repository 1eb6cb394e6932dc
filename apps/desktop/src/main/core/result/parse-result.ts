import { z } from 'zod'
import { err, ok, type Result } from '@shared/result'
import { phaseSchema, type Phase } from '@shared/model/words'

/*
 * `result.json` is written by the agent, so it is untrusted. The caller opened it safely, copied it and capped its size.
 */

const text = z.string().max(200_000)

const resultFileSchema = z.strictObject({
  version: z.literal(1),
  phase: phaseSchema,
  outcome: z.enum(['done', 'questions', 'nothing']),
  /** Not asked for; an agent that names an issue must name its own. */
  issue: z.number().int().optional(),
  functional_analysis: text.nullish(),
  plan: text.nullish(),
  questions: z.array(z.string().max(10_000)).max(50).nullish(),
  answer: text.nullish(),
  summary: text.nullish(),
})

export interface RunResult {
  /** Where it comes from: the file, or the last text of the agent because there was no file. */
  readonly source: 'file' | 'last_text'
  readonly outcome: 'done' | 'questions' | 'nothing'
  readonly functionalAnalysis: string | null
  readonly plan: string | null
  readonly questions: readonly string[]
  readonly answer: string | null
  readonly summary: string | null
}

export interface ResultRefusal {
  readonly type: 'result_refused'
  /** Says what is wrong with it, for the run screen and the comment. */
  readonly message: string
}

export interface ResultInput {
  /** Text of `result.json`; null when the agent wrote none. */
  readonly file: string | null
  /** The agent's last text, used when there is no file. */
  readonly lastText: string | null
  readonly phase: Phase
  readonly iid: number
}

/** Reads what the agent says about its run. Refused with a reason when it is broken, not its own, or contradicts itself. */
export function parseResult(input: ResultInput): Result<RunResult, ResultRefusal> {
  if (input.file === null) return fromLastText(input)
  const json = parseSafely(input.file)
  if (!json.ok) return json
  const parsed = resultFileSchema.safeParse(json.value)
  if (!parsed.success) return refuse(firstIssue(parsed.error))
  const file = parsed.data
  if (file.phase !== input.phase)
    return refuse(`it is for the phase ${file.phase}, this run is ${input.phase}`)
  if (file.issue !== undefined && file.issue !== input.iid) {
    return refuse(`it is for issue ${file.issue}, this run is for issue ${input.iid}`)
  }
  return checkClaims(input.phase, {
    source: 'file',
    outcome: file.outcome,
    functionalAnalysis: clean(file.functional_analysis),
    plan: clean(file.plan),
    questions: (file.questions ?? []).map(clean).filter((question) => question !== null),
    answer: clean(file.answer),
    summary: clean(file.summary),
  })
}

const refuse = (message: string): Result<never, ResultRefusal> =>
  err({ type: 'result_refused', message: `result.json was not accepted: ${message}.` })

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function parseSafely(source: string): Result<unknown, ResultRefusal> {
  let forbidden: string | null = null
  try {
    const value: unknown = JSON.parse(source.replace(/^\uFEFF/, ''), (key, entry: unknown) => {
      if (FORBIDDEN_KEYS.has(key)) forbidden = key
      return entry
    })
    return forbidden === null ? ok(value) : refuse(`the key ${String(forbidden)} is not allowed`)
  } catch {
    return refuse('it is not JSON')
  }
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.')
  return `${where}: ${issue?.message ?? 'not as agreed'}`.slice(0, 300)
}

/** Without control characters (tab and line break stay) and lone surrogates; blank is null. */
function clean(value: string | null | undefined): string | null {
  const plain = (value ?? '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // oxlint-disable-next-line no-control-regex -- they are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .trim()
  return plain === '' ? null : plain
}

/** What the phase must bring when the agent says that it is done. */
function missingPart(phase: Phase, result: RunResult): string | null {
  if (result.outcome === 'questions') {
    return result.questions.length === 0 ? 'it says that there are questions and holds none' : null
  }
  if (result.outcome === 'nothing') return null
  if (phase === 'analysis' && result.plan === null)
    return 'it says that the analysis is done and holds no plan'
  if (phase === 'answer' && result.answer === null) return 'it says that it is done and holds no answer'
  return null
}

function checkClaims(phase: Phase, result: RunResult): Result<RunResult, ResultRefusal> {
  const missing = missingPart(phase, result)
  return missing === null ? ok(result) : refuse(missing)
}

function fromLastText(input: ResultInput): Result<RunResult, ResultRefusal> {
  const last = clean(input.lastText)?.slice(0, 200_000) ?? null
  const needsText = input.phase === 'analysis' || input.phase === 'answer'
  if (needsText && last === null) {
    return err({ type: 'result_refused', message: 'The agent left neither a result.json nor any text.' })
  }
  return ok({
    source: 'last_text',
    outcome: 'done',
    functionalAnalysis: null,
    plan: input.phase === 'analysis' ? last : null,
    questions: [],
    answer: input.phase === 'answer' ? last : null,
    summary: last,
  })
}
