// What the agent does in each phase. It really reads, writes, tests and commits.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { featureFor, fileNameOf, filesOf } from './features.mjs'

/** `task`: { phase, title, iid, fault }; `say` and `use` emit events at the demo's pace; `memory`: the last answer. */
export async function analyse(task, { say, use }) {
  const feature = featureFor(task.title)
  const files = await use('list', 'look around in the project', { path: '.' }, listFiles)
  await use('read', 'read the README', { path: 'README.md' }, () => readFirst('README.md'))
  const count = files === '' ? 0 : files.split('\n').length
  await say(
    `The project has ${count} ${count === 1 ? 'file' : 'files'}. “${task.title}” needs one new function and its test.`,
  )
  const file = fileNameOf(feature)
  return {
    outcome: 'done',
    functional_analysis: `**What is asked for:** ${task.title}.\n\n${feature.about} Existing behaviour stays as it is.`,
    plan: [
      `1. Add \`${feature.name}\` in \`src/${file}.js\`: ${feature.about}`,
      `2. Cover it in \`test/${file}.test.js\`, with the edge case.`,
      '3. Run the tests and commit.',
    ].join('\n'),
    summary: `Planned ${feature.name}: one function, one test file.`,
  }
}

export async function develop(task, { say, use, memory }) {
  const feature = featureFor(task.title)
  if (memory !== null) await say(`I go by what I said: ${memory}`)
  const isModule = await use(
    'read',
    'see how the project writes modules',
    { path: 'package.json' },
    projectIsModule,
  )
  const files = filesOf(feature, isModule === 'module')
  for (const [path, content] of Object.entries(files)) {
    await use('write', `write ${path}`, { path }, () => writeFile(path, content))
  }
  await use('test', 'run the tests', { command: 'node --test' }, () => runTests(Object.keys(files)))
  if (task.fault === 'no_commit')
    return { outcome: 'done', summary: `Wrote ${feature.name}, and left it uncommitted.` }
  const subject = `Add ${feature.name}${task.iid === null ? '' : ` (#${task.iid})`}`
  const committed = await use('commit', `commit “${subject}”`, { message: subject }, () =>
    commit(Object.keys(files), subject),
  )
  return committed.startsWith('nothing')
    ? { outcome: 'nothing', summary: `${feature.name} is there already.` }
    : { outcome: 'done', summary: `Added ${feature.name} with its test.` }
}

export async function amend(task, { say, use }) {
  const file = `src/${fileNameOf(featureFor(task.title))}.js`
  await say(`Looking at ${file} again.`)
  const note = `\n// Looked at again: ${task.phase.replaceAll('_', ' ')}.\n`
  await use('write', `write ${file}`, { path: file }, () =>
    writeFile(file, `${readFirst(file, 100_000)}${note}`),
  )
  const subject = `Rework after ${task.phase.replaceAll('_', ' ')}`
  await use('commit', `commit “${subject}”`, { message: subject }, () => commit([file], subject))
  return { outcome: 'done', summary: `Reworked ${file}.` }
}

export async function answer(task, { use, memory }) {
  await use('read', 'read the README', { path: 'README.md' }, () => readFirst('README.md'))
  const before = memory === null ? 'this is our first talk about it.' : `I said before: ${memory}`
  return { outcome: 'done', answer: `About “${task.title}”: ${before}`, summary: 'Answered.' }
}

function listFiles() {
  return readdirSync('.', { recursive: true })
    .map(String)
    .filter((path) => !/^(\.git|node_modules)(\/|$)/.test(path))
    .toSorted()
    .slice(0, 200)
    .join('\n')
}

const readFirst = (path, limit = 2000) => (existsSync(path) ? readFileSync(path, 'utf8').slice(0, limit) : '')

function projectIsModule() {
  try {
    return JSON.parse(readFileSync('package.json', 'utf8')).type === 'commonjs' ? 'commonjs' : 'module'
  } catch {
    return 'module'
  }
}

function writeFile(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return `${content.split('\n').length - 1} lines`
}

function runTests(paths) {
  const tests = paths.filter((path) => path.endsWith('.test.js'))
  // A runner of its own: not a part of whatever test run started this program.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const output = execFileSync(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
    encoding: 'utf8',
    env: environment,
  })
  return output
    .split('\n')
    .filter((line) => /^# (tests|pass|fail) /.test(line))
    .join('\n')
}

function commit(paths, subject) {
  const git = (...argv) => execFileSync('git', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  git('add', '--', ...paths)
  if (git('status', '--porcelain', '--', ...paths).trim() === '') return 'nothing to commit'
  git('commit', '--quiet', '-m', subject)
  return git('log', '-1', '--format=%h %s').trim()
}
