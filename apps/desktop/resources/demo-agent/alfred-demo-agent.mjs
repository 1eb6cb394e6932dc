#!/usr/bin/env node
// A small coding agent without a model: the contract of a real agent CLI, for demos and tests without any account.
//
//   alfred-demo-agent [--session-id ID | --resume ID] [--model NAME] < prompt
//
// Prints one JSON object per line: init, text, tool, tool_result, usage, result, error.
// Exit codes: 0 done, 1 failed, 2 usage, 3 id in use, 4 session not usable, 5 session of a newer version, 6 refused.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { failAtWork, failResume, faultOf } from './faults.mjs'
import { isSessionId, Refusal, resumeSession, saveTurn, startSession } from './session.mjs'
import { amend, analyse, answer, develop } from './work.mjs'

const version = '1.0.0'
const paceMs = Number(process.env.DEMO_PACE ?? 300)
const contextMax = 200_000

const emit = (event) => process.stdout.write(`${JSON.stringify(event)}\n`)

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        version: { type: 'boolean' },
        help: { type: 'boolean' },
        'session-id': { type: 'string' },
        resume: { type: 'string' },
        model: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new Refusal(error.message, 2)
  }
}

function openSession(values, fault) {
  const asked = values.resume ?? values['session-id'] ?? randomUUID()
  if (!isSessionId(asked)) throw new Refusal(`${asked} is no session id`, 2)
  if (values.resume === undefined) return startSession(asked)
  failResume(fault, asked)
  // Some CLIs do this: a thread of their own, as if nothing had been asked.
  return fault === 'other_id' ? startSession(randomUUID()) : resumeSession(asked)
}

function readTask(prompt, fault) {
  const phase = /^Phase:[ \t]*([a-z_]+)/m.exec(prompt)?.[1] ?? 'chat'
  const title =
    /^Title:[ \t]*(.+)$/m.exec(prompt)?.[1] ??
    /^#{1,3}[ \t]+(?:Issue )?(?:#\d+:?[ \t]*)?(.+)$/m.exec(prompt)?.[1] ??
    firstLine(prompt)
  const iid = /^Issue:?[ \t]*#?(\d+)/m.exec(prompt)?.[1] ?? /#(\d+)/.exec(prompt)?.[1] ?? null
  return { phase, title: title.trim().replace(/[.]$/, '').slice(0, 120) || 'the task', iid, fault }
}

const firstLine = (text) => text.split('\n').find((line) => line.trim() !== '') ?? ''

/** What the turn before asked and answered, in a sentence; null in a new session. */
function memoryOf(session) {
  const last = session.turns.at(-1)
  return last === undefined ? null : `Last time you asked “${last.asked}”, and I answered “${last.answered}”`
}

/** Writes beside and renames, so that nobody reads half a result. */
function writeResult(phase, result) {
  const folder = process.env.ALFRED_OUT_FOLDER ?? '/alfred/out'
  writeFileSync(`${folder}/.result.new`, JSON.stringify({ version: 1, phase, ...result }))
  renameSync(`${folder}/.result.new`, `${folder}/result.json`)
}

/** Word by word, as a person reads along in a chat. */
async function write(text) {
  const words = text.split(/(?<=\s)/)
  for (const word of words) {
    emit({ type: 'partial', text: word })
    await pause(paceMs / words.length)
  }
}

async function say(text, phase) {
  await (phase === 'chat' ? write(text) : pause(paceMs))
  emit({ type: 'text', text })
}

function stepsOf(session, phase) {
  let tools = 0
  return {
    memory: session.turns.at(-1)?.answered ?? null,
    say: (text) => say(text, phase),
    use: async (name, summary, input, work) => {
      tools += 1
      const id = `tool-${tools}`
      emit({ type: 'tool', id, name, summary, input })
      await pause(paceMs)
      try {
        const output = work()
        emit({ type: 'tool_result', id, failed: false, output: output.slice(0, 20_000) })
        return output
      } catch (error) {
        emit({
          type: 'tool_result',
          id,
          failed: true,
          output: `${error.stdout ?? ''}${error.stderr ?? error.message}`.slice(0, 20_000),
        })
        throw error
      }
    },
  }
}

const phases = {
  analysis: analyse,
  development: develop,
  answer,
  ci_fix: amend,
  review_fix: amend,
  conflict_resolution: amend,
  chat: answer,
}

async function runTask(task, session) {
  if (task.fault === 'questions')
    return { outcome: 'questions', questions: ['Which of the two ways do you want?'], summary: 'Asked.' }
  return (phases[task.phase] ?? answer)(task, stepsOf(session, task.phase))
}

function emitUsage(prompt, session, text) {
  const tokens = (words) => Math.ceil(words.length / 4)
  const cached = tokens(session.turns.map((turn) => turn.asked + turn.answered).join(''))
  emit({
    type: 'usage',
    input_tokens: tokens(prompt),
    cached_tokens: cached,
    output_tokens: tokens(text),
    cost_usd: 0,
    context_used: tokens(prompt) + cached,
    context_max: contextMax,
    turns: session.turns.length + 1,
  })
}

async function readStandardInput() {
  const parts = []
  for await (const part of process.stdin) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function oneTurn(values) {
  const prompt = await readStandardInput()
  const fault = faultOf(prompt)
  const session = openSession(values, fault)
  const task = readTask(prompt, fault)
  const asked = `${task.phase.replaceAll('_', ' ')} of ${task.title}`
  const memory = memoryOf(session)
  process.once('SIGTERM', () => {
    saveTurn(session, {
      turn: session.turns.length + 1,
      phase: task.phase,
      asked,
      answered: 'I was stopped before I was done',
    })
    process.exit(143)
  })
  emit({
    type: 'init',
    session_id: session.id,
    model: values.model ?? 'demo-1',
    version,
    resumed: session.turns.length > 0,
    cwd: process.cwd(),
  })
  await say(memory === null ? `I start with “${task.title}”.` : `${memory}. I go on from there.`, task.phase)
  await failAtWork(fault, emit)
  const result = await runTask(task, session)
  if (fault === 'bad_result')
    writeFileSync(`${process.env.ALFRED_OUT_FOLDER ?? '/alfred/out'}/result.json`, '{"version":1,')
  else if (fault !== 'no_result' && task.phase !== 'chat') writeResult(task.phase, result)
  const text = [memory === null ? null : `${memory}.`, result.answer ?? result.summary]
    .filter((part) => part !== null)
    .join('\n\n')
  saveTurn(session, { turn: session.turns.length + 1, phase: task.phase, asked, answered: result.summary })
  emitUsage(prompt, session, text)
  emit({ type: 'result', is_error: fault === 'error_result', text, denied_tools: [] })
}

/** With a terminal: a talk, line by line, that the session remembers. A line behind `!` is a command. */
async function talk(values) {
  const session = openSession(values, null)
  process.stdout.write(
    `Demo agent ${version}, session ${session.id}\n${memoryOf(session) ?? 'A new session'}.\n`,
  )
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: 'you> ' })
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === 'exit') break
    if (line.startsWith('!')) {
      spawnSync('sh', ['-c', line.slice(1)], { stdio: 'inherit' })
      lines.prompt()
      continue
    }
    const answered = `You said “${line.trim().slice(0, 200)}”`
    const memory = memoryOf(session)
    process.stdout.write(`${answered}. ${memory === null ? '' : `${memory}.`}\n`)
    const turn = {
      turn: session.turns.length + 1,
      phase: 'terminal',
      asked: line.trim().slice(0, 200),
      answered,
    }
    saveTurn(session, turn)
    session.turns.push(turn)
    lines.prompt()
  }
  lines.close()
}

try {
  const values = readArguments()
  if (values.version) process.stdout.write(`alfred-demo-agent ${version}\n`)
  else if (values.help)
    process.stdout.write('usage: alfred-demo-agent [--session-id ID | --resume ID] [--model NAME] < prompt\n')
  else if (process.stdin.isTTY) await talk(values)
  else await oneTurn(values)
} catch (error) {
  process.stderr.write(`error: ${error instanceof Refusal ? error.message : (error.stack ?? error)}\n`)
  process.exitCode = error instanceof Refusal ? error.exitCode : 1
  // Whatever still waits must not keep a failed program alive.
  process.stdout.end(() => process.exit())
}
