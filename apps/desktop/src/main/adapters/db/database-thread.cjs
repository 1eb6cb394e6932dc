// The thread of thread-database.ts: answers one question after the other.
const { parentPort, workerData } = require('node:worker_threads')

const { module: sqlite, file, options } = workerData
const Database = require(sqlite)
let db

parentPort.on('message', ({ number, sql, values }) => {
  try {
    db ??= new Database(file, options)
    const statement = db.prepare(sql)
    const rows = statement.reader ? statement.all(...values) : []
    if (!statement.reader) statement.run(...values)
    parentPort.postMessage({ number, rows })
  } catch (failure) {
    parentPort.postMessage({
      number,
      failure: String(failure.message ?? failure),
      code: failure.code ?? null,
    })
  }
})
