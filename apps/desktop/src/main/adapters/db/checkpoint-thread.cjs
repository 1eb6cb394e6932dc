// The thread of checkpoints.ts: at each message, what stands in the log goes into the database file.
const { parentPort, workerData } = require('node:worker_threads')

const { module: sqlite, file, options } = workerData
const Database = require(sqlite)

parentPort.on('message', () => {
  const db = new Database(file, options)
  try {
    db.pragma('synchronous = NORMAL')
    db.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // A full disk, say. It is all in the log, and whoever writes will be told.
  } finally {
    db.close()
  }
  parentPort.postMessage('done')
})
