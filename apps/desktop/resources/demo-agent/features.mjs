// What the agent knows to build: a small function with its test, chosen by the words of the issue.

const known = [
  {
    words: /slug/i,
    name: 'slugify',
    about: 'Turns a title into a part of an address: lower case, words joined by dashes.',
    body: `(title) {
  return title
    .normalize('NFKD')
    .replace(/[\\u0300-\\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
}`,
    checks: [`slugify('Crème Brûlée, twice!')`, `'creme-brulee-twice'`, `slugify('  --  ')`, `''`],
  },
  {
    words: /greet|hello|welcome/i,
    name: 'greeting',
    about: 'Greets a person by the hour of the day (0 to 23).',
    body: `(name, hour) {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  const who = name.trim()
  return who === '' ? \`Good \${part}!\` : \`Good \${part}, \${who}!\`
}`,
    checks: [`greeting('Ada', 9)`, `'Good morning, Ada!'`, `greeting(' ', 20)`, `'Good evening!'`],
  },
  {
    words: /duration|elapsed|minutes|seconds/i,
    name: 'formatDuration',
    about: 'Writes milliseconds as hours, minutes and seconds.',
    body: `(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ]
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => \`\${count} \${unit}\`)
  return words.length === 0 ? '0 s' : words.join(' ')
}`,
    checks: [`formatDuration(3_723_000)`, `'1 h 2 min 3 s'`, `formatDuration(0)`, `'0 s'`],
  },
  {
    words: /truncat|shorten|ellipsis|too long/i,
    name: 'shorten',
    about: 'Cuts a text at a word, so that it has at most the given number of characters.',
    body: `(text, limit) {
  if (text.length <= limit) return text
  const cut = text.slice(0, Math.max(0, limit - 1))
  const atWord = cut.lastIndexOf(' ')
  return \`\${(atWord > 0 ? cut.slice(0, atWord) : cut).trimEnd()}…\`
}`,
    checks: [`shorten('one two three', 9)`, `'one two…'`, `shorten('short', 9)`, `'short'`],
  },
  {
    words: /average|mean|median|statistic/i,
    name: 'average',
    about: 'The mean of some numbers; null when there are none.',
    body: `(numbers) {
  if (numbers.length === 0) return null
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}`,
    checks: [`average([1, 2, 6])`, `3`, `average([])`, `null`],
  },
  {
    words: /csv|comma|delimit/i,
    name: 'splitCsvLine',
    about: 'Splits one line of comma-separated values; quoted values may hold commas and doubled quotes.',
    body: `(line) {
  const cells = []
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
  }
  return cells
}`,
    checks: [`splitCsvLine('a,"b, ""c""",d').join('|')`, `'a|b, "c"|d'`, `splitCsvLine('one').length`, `1`],
  },
  {
    words: /empty|blank|missing name|undefined|crash/i,
    name: 'orDefault',
    about: 'The text, or a default where the text is missing or blank.',
    body: `(text, fallback) {
  return typeof text === 'string' && text.trim() !== '' ? text : fallback
}`,
    checks: [`orDefault('  ', 'nobody')`, `'nobody'`, `orDefault('Ada', 'nobody')`, `'Ada'`],
  },
]

/** The same title gives the same feature, always. */
export function featureFor(title) {
  const feature = known.find(({ words }) => words.test(title))
  if (feature !== undefined) return feature
  const name = camelCase(title)
  const quoted = JSON.stringify(title)
  return {
    name,
    about: `${title}.`,
    body: `(options = {}) {
  return { title: ${quoted}, isEnabled: true, ...options }
}`,
    checks: [`${name}().title`, quoted, `${name}({ isEnabled: false }).isEnabled`, `false`],
  }
}

function camelCase(title) {
  const words = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ]+/g, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 5)
  const name = words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('')
  return /^[a-z]/.test(name) ? name : `feature${name}`
}

export const fileNameOf = (feature) => feature.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The files of a feature, by path; `isModule`: the project writes ES modules. */
export function filesOf(feature, isModule) {
  const file = fileNameOf(feature)
  const [firstCall, firstValue, secondCall, secondValue] = feature.checks
  const code = `/** ${feature.about} */\n${isModule ? 'export ' : ''}function ${feature.name}${feature.body}\n${
    isModule ? '' : `\nmodule.exports = { ${feature.name} }\n`
  }`
  const imports = isModule
    ? `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${feature.name} } from '../src/${file}.js'\n`
    : `const assert = require('node:assert/strict')\nconst { test } = require('node:test')\nconst { ${feature.name} } = require('../src/${file}.js')\n`
  const tests = `${imports}
test('${feature.name} does what the issue asks for', () => {
  assert.equal(${firstCall}, ${firstValue})
})

test('${feature.name} copes with the edge case', () => {
  assert.equal(${secondCall}, ${secondValue})
})
`
  return { [`src/${file}.js`]: code, [`test/${file}.test.js`]: tests }
}
