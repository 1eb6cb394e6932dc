// Checks a database and copies it, in a process of its own: a large one takes seconds, which the app does not have.
// Argument: JSON with `module` (better-sqlite3), `binding`, `file` and `copy`. Prints JSON: {"damage": null | text}.
const { closeSync, fsyncSync, openSync } = require('node:fs')
const { setPriority } = require('node:os')

const { module: modulePath, binding, file, copy } = JSON.parse(process.argv[2])
try {
  setPriority(10)
} catch {
  // it is only polite
}
const Database = require(modulePath)
const db = new Database(file, {
  readonly: true,
  fileMustExist: true,
  ...(binding === null ? {} : { nativeBinding: binding }),
})
let damage = null
try {
  const found = db.pragma('integrity_check(10)').map((row) => row.integrity_check)
  damage = found.length === 1 && found[0] === 'ok' ? null : found.join('; ')
  if (damage === null) {
    // an empty file keeps its mode
    closeSync(openSync(copy, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(copy)
    const handle = openSync(copy, 'r+')
    fsyncSync(handle)
    closeSync(handle)
  }
} catch (error) {
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error
  damage = error.message
}
db.close()
process.stdout.write(JSON.stringify({ damage }))
