// What the model may do: look at the files of the working directory, and, but for a chat, hand its result in.
import { readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

const limits = { entries: 2000, fileBytes: 2_000_000, searchedFiles: 20_000, hits: 200, output: 60_000 }
const skipped = new Set(['.git', 'node_modules'])

const string = (description) => ({ type: 'string', description })

const looking = [
  {
    name: 'list_files',
    description: 'Lists the files below a folder of the working directory, without .git and node_modules.',
    schema: { type: 'object', properties: { path: string('folder; left out: all') }, required: [] },
  },
  {
    name: 'search_files',
    description: 'Finds lines that hold a text (not a pattern, any case), as path:line: text.',
    schema: {
      type: 'object',
      properties: { text: string('what to find'), path: string('folder or file; left out: all') },
      required: ['text'],
    },
  },
  {
    name: 'read_file',
    description: 'Reads a text file, or some of its lines.',
    schema: {
      type: 'object',
      properties: {
        path: string('file'),
        from_line: { type: 'integer', description: 'first line, from 1' },
        lines: { type: 'integer', description: 'how many lines' },
      },
      required: ['path'],
    },
  },
]

const resultFields = {
  analysis: {
    functional_analysis: string('what is asked for, in Markdown'),
    plan: string('the technical plan, in Markdown; needed when the outcome is done'),
  },
  answer: { answer: string('the answer, in Markdown; needed when the outcome is done') },
}

const handingIn = (phase) => ({
  name: 'submit_result',
  description: 'Hands the result in and ends the work.',
  schema: {
    type: 'object',
    properties: {
      outcome: { type: 'string', enum: ['done', 'questions', 'nothing'] },
      ...resultFields[phase],
      questions: { type: 'array', items: { type: 'string' }, description: 'when the outcome is questions' },
      summary: string('in one sentence'),
    },
    required: ['outcome'],
  },
})

/** `root`: the folder that is looked at; `inFolder`: where attachments lie; `outFolder`: where the result goes. */
export function createTools({ root, inFolder, outFolder, phase }) {
  const top = { root: realpathSync(root), attachments: realFolder(inFolder) }
  const hasResult = Object.hasOwn(resultFields, phase)
  let submitted = null
  const handIn = (input) => {
    const result = resultOf(phase, input)
    // Written beside and renamed, so that nobody reads half a result.
    writeFileSync(join(outFolder, '.result.new'), JSON.stringify(result))
    renameSync(join(outFolder, '.result.new'), join(outFolder, 'result.json'))
    submitted = result.answer ?? result.plan ?? result.summary ?? result.questions?.join('\n') ?? 'Done.'
    return 'taken'
  }
  const work = {
    list_files: ({ path }) => listFiles(top, path),
    search_files: ({ text, path }) => searchFiles(top, text, path),
    read_file: (input) => readLines(top, input),
    ...(hasResult && { submit_result: handIn }),
  }
  return {
    descriptions: hasResult ? [...looking, handingIn(phase)] : looking,
    /** The text of the result that was handed in; null as long as there is none. */
    submitted: () => submitted,
    summary: ({ input }) => String(input?.path ?? input?.text ?? input?.outcome ?? '').slice(0, 200),
    /** Never throws: what went wrong is said to the model. */
    run({ name, input }) {
      try {
        if (!Object.hasOwn(work, name)) throw new Error(`there is no tool ${name}`)
        const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
        if (!isObject) throw new Error('the arguments are no JSON object')
        return { output: cut(work[name](input)), failed: false }
      } catch (error) {
        return { output: error.message, failed: true }
      }
    },
  }
}

/** With every link on the way followed, as a place is; one that is not there holds no attachment either. */
function realFolder(folder) {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

const cut = (text) => (text.length <= limits.output ? text : `${text.slice(0, limits.output)}\n(cut here)`)

/** The place of a path that the model named: inside the working directory, links followed, or an attachment. */
function placeOf({ root: top, attachments }, path = '.') {
  if (typeof path !== 'string' || path.includes('\0')) throw new Error('the path is no text')
  let place
  try {
    place = realpathSync(resolve(top, path))
  } catch {
    throw new Error(`there is no ${path}`)
  }
  if (dirname(place) === attachments && basename(place).startsWith('attachment-')) return place
  if (place !== top && !place.startsWith(top + sep))
    throw new Error(`${path} is outside of the working directory`)
  return place
}

/** Regular files below a place, sorted; no link is followed. */
function* filesBelow(top, place) {
  if (statSync(place).isFile()) return void (yield place)
  const entries = readdirSync(place, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (skipped.has(entry.name)) continue
    if (entry.isDirectory()) yield* filesBelow(top, join(place, entry.name))
    else if (entry.isFile()) yield join(place, entry.name)
  }
}

function listFiles(top, path) {
  const found = []
  for (const file of filesBelow(top, placeOf(top, path))) {
    if (found.length === limits.entries) return [...found, '(more files: name a folder)'].join('\n')
    found.push(relative(top.root, file))
  }
  return found.length === 0 ? '(no files)' : found.join('\n')
}

/** null: too large, or no text. */
function textOf(file) {
  if (statSync(file).size > limits.fileBytes) return null
  const text = readFileSync(file, 'utf8')
  return text.includes('\0') ? null : text
}

function searchFiles(top, wanted, path) {
  if (typeof wanted !== 'string' || wanted === '') throw new Error('the text to find is missing')
  const needle = wanted.toLowerCase()
  const hits = []
  let looked = 0
  for (const file of filesBelow(top, placeOf(top, path))) {
    looked += 1
    if (looked > limits.searchedFiles) return [...hits, '(more files: name a folder)'].join('\n')
    const lines = textOf(file)?.split('\n') ?? []
    for (const [index, line] of lines.entries()) {
      if (!line.toLowerCase().includes(needle)) continue
      hits.push(`${relative(top.root, file)}:${index + 1}: ${line.slice(0, 300)}`)
      if (hits.length === limits.hits) return [...hits, '(more lines: be more exact)'].join('\n')
    }
  }
  return hits.length === 0 ? '(not found)' : hits.join('\n')
}

function readLines(top, { path, from_line: first = 1, lines: count }) {
  const file = placeOf(top, path)
  if (!statSync(file).isFile()) throw new Error(`${path} is no file`)
  const text = textOf(file)
  if (text === null) throw new Error(`${path} is no text, or larger than ${limits.fileBytes} bytes`)
  if (first === 1 && count === undefined) return text
  if (!Number.isInteger(first) || first < 1 || !Number.isInteger(count ?? 1) || (count ?? 1) < 1)
    throw new Error('from_line and lines must be whole numbers from 1')
  return text
    .split('\n')
    .slice(first - 1, count === undefined ? undefined : first - 1 + count)
    .join('\n')
}

/** What `result.json` may hold for the phase; says to the model what is missing. */
function resultOf(phase, input) {
  const { outcome } = input
  if (!['done', 'questions', 'nothing'].includes(outcome))
    throw new Error('outcome must be done, questions or nothing')
  const fields = [...Object.keys(resultFields[phase]), 'summary']
  const texts = Object.fromEntries(
    fields.flatMap((field) => (typeof input[field] === 'string' ? [[field, input[field]]] : [])),
  )
  const needed = phase === 'analysis' ? 'plan' : 'answer'
  if (outcome === 'done' && (texts[needed] ?? '').trim() === '') throw new Error(`${needed} is missing`)
  const questions = Array.isArray(input.questions)
    ? input.questions.filter((one) => typeof one === 'string')
    : []
  if (outcome === 'questions' && questions.length === 0) throw new Error('questions are missing')
  return { version: 1, phase, outcome, ...texts, ...(outcome === 'questions' ? { questions } : {}) }
}
