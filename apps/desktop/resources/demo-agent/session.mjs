// The agent's memory: one file per session, one line per turn.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const formatVersion = 1
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** An error that ends the program like a CLI does: words on standard error, an exit code. */
export class Refusal extends Error {
  constructor(message, exitCode) {
    super(message)
    this.exitCode = exitCode
  }
}

export const isSessionId = (id) => idPattern.test(id)

const folder = () => join(homedir(), '.demo', 'sessions')
const fileOf = (id) => join(folder(), `${id}.jsonl`)

export function startSession(id) {
  if (existsSync(fileOf(id))) throw new Refusal(`session id ${id} is already in use`, 3)
  return { id, turns: [] }
}

/** Exit code 4: not there, empty or unreadable. 5: written by a newer version. */
export function resumeSession(id) {
  if (!existsSync(fileOf(id))) throw new Refusal(`no session found with id ${id}`, 4)
  const text = readFileSync(fileOf(id), 'utf8')
  if (text.trim() === '') throw new Refusal(`session ${id} is empty`, 4)
  const turns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => readTurn(id, line, index + 1))
  return { id, turns }
}

function readTurn(id, line, number) {
  let turn
  try {
    turn = JSON.parse(line)
  } catch {
    throw new Refusal(`session ${id} cannot be read: line ${number} is no JSON`, 4)
  }
  if (typeof turn?.version === 'number' && turn.version > formatVersion) {
    throw new Refusal(`session ${id} was written by a newer version (format ${turn.version})`, 5)
  }
  if (typeof turn?.asked !== 'string' || typeof turn?.answered !== 'string') {
    throw new Refusal(`session ${id} cannot be read: line ${number} is no turn`, 4)
  }
  return turn
}

export function saveTurn(session, turn) {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  appendFileSync(
    fileOf(session.id),
    `${JSON.stringify({ version: formatVersion, at: new Date().toISOString(), ...turn })}\n`,
    {
      mode: 0o600,
    },
  )
}
