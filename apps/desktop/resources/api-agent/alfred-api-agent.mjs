#!/usr/bin/env node
// The agent of the api mode: talks to a model's API without any CLI, reads the code, and hands an analysis or an answer
// back, or answers a message of a chat. It changes nothing and remembers nothing.
//
//   alfred-api-agent --provider=anthropic|openai --model=NAME --phase=analysis|answer|chat < prompt
//
// The key is in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY), as is the address of another server
// (API_AGENT_BASE_URL). Prints one JSON object per line: text, tool, tool_result, usage, retry, error, result.
// Exit codes: 0 done, 1 failed, 2 usage.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { askModel, CallFailure } from './calls.mjs'
import { providers } from './providers.mjs'
import { createTools } from './tools.mjs'

/** How many answers of the model a run may take; the last one must hand the result in, or in a chat answer. */
const maxTurns = 80

const emit = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)

function readArguments() {
  const { values } = parseArgs({
    options: { provider: { type: 'string' }, model: { type: 'string' }, phase: { type: 'string' } },
  })
  const provider = Object.hasOwn(providers, values.provider ?? '') ? providers[values.provider] : null
  if (provider === null) throw new TypeError('--provider must be anthropic or openai')
  if ((values.model ?? '') === '') throw new TypeError('no model is named: set AGENT_MODEL')
  if (!['analysis', 'answer', 'chat'].includes(values.phase))
    throw new TypeError('--phase must be analysis, answer or chat')
  return { provider, model: values.model, phase: values.phase }
}

async function readStandardInput() {
  const parts = []
  for await (const part of process.stdin) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

const lookingWords = `You work on an issue of a software project, in its working directory, and you cannot change
anything there. Look at the code with list_files, search_files and read_file as far as you need.`

const handingInWords = `You cannot write files: where the task says that you write result.json, call submit_result once
with its fields instead; that ends your work.`

const chatWords = `You cannot write files, run commands or commit. A person talks with you: answer the message at the end
of what you are told, in Markdown.`

const systemWordsOf = (phase) => `${lookingWords} ${phase === 'chat' ? chatWords : handingInWords}`

/** Keys leave the environment before any tool can look, and are kept for the calls alone. */
function takeKey({ keyName }) {
  const key = process.env[keyName] || null
  for (const { keyName: name } of Object.values(providers)) delete process.env[name]
  return key
}

/** Sums of all calls so far; a price is told by no API. */
function createUsage() {
  const sum = { input: 0, cached: 0, output: 0, turns: 0 }
  return (usage) => {
    sum.turns += 1
    for (const name of ['input', 'cached', 'output'])
      sum[name] = sum[name] === null || usage[name] === null ? null : sum[name] + usage[name]
    const context = usage.input === null ? null : usage.input + (usage.cached ?? 0) + (usage.output ?? 0)
    emit({
      type: 'usage',
      input_tokens: sum.input,
      cached_tokens: sum.cached,
      output_tokens: sum.output,
      cost_usd: null,
      context_used: context,
      context_max: null,
      turns: sum.turns,
    })
  }
}

async function runCall(tools, call) {
  emit({ type: 'tool', id: call.id, name: call.name, summary: tools.summary(call), input: call.input })
  const { output, failed } = await tools.run(call)
  emit({ type: 'tool_result', id: call.id, failed, output: output.slice(0, 20_000) })
  return { id: call.id, output, failed }
}

/** The agent's last word; throws `CallFailure` when the model cannot be asked. */
async function work({ provider, model, phase }, prompt) {
  const tools = createTools({
    root: process.cwd(),
    inFolder: process.env.ALFRED_IN_FOLDER ?? '/alfred/in',
    outFolder: process.env.ALFRED_OUT_FOLDER ?? '/alfred/out',
    phase,
  })
  const addUsage = createUsage()
  const key = takeKey(provider)
  const baseUrl = process.env.API_AGENT_BASE_URL || null
  const conversation = [{ role: 'user', text: prompt }]
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const answer = await askModel({
      provider,
      key,
      baseUrl,
      request: {
        model,
        system: systemWordsOf(phase),
        conversation,
        tools: tools.descriptions,
        choice: turn < maxTurns ? null : phase === 'chat' ? 'none' : 'submit_result',
      },
      onRetry: (message, waitMs) => emit({ type: 'retry', message, retry_after_ms: waitMs }),
      sleep: pause,
    })
    addUsage(answer.usage)
    if (answer.text.trim() !== '') emit({ type: 'text', text: answer.text })
    if (answer.isCut)
      throw new CallFailure({ code: 'answer_too_long', message: 'The answer reached the length limit.' })
    if (answer.isDeclined)
      throw new CallFailure({ code: 'declined', message: 'The model declined to answer.' })
    if (answer.calls.length === 0) return answer.text
    conversation.push({ role: 'assistant', text: answer.text, calls: answer.calls })
    const results = []
    for (const call of answer.calls) {
      results.push(await runCall(tools, call))
      if (tools.submitted() !== null) return tools.submitted()
    }
    conversation.push({ role: 'tools', results })
  }
  throw new CallFailure({
    code: 'too_many_turns',
    message: `No result after ${maxTurns} answers of the model.`,
  })
}

try {
  const task = readArguments()
  const text = await work(task, await readStandardInput())
  if (text.trim() === '') throw new CallFailure({ code: 'empty', message: 'The model said nothing.' })
  emit({ type: 'result', is_error: false, text, denied_tools: [] })
} catch (error) {
  if (!(error instanceof CallFailure)) {
    process.stderr.write(`error: ${error instanceof TypeError ? error.message : (error.stack ?? error)}\n`)
    process.exitCode = error instanceof TypeError ? 2 : 1
  } else {
    emit({ type: 'error', ...error.facts })
    emit({ type: 'result', is_error: true, text: error.facts.message, denied_tools: [] })
    process.exitCode = 1
  }
}
