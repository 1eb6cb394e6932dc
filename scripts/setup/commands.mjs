// Starting other programs: quietly with their output kept for the case of failure, or in the foreground.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const keptOutput = 200_000

/** The full path of a program, or undefined. */
export function findProgram(name, env = process.env) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`, name] : [name]
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    for (const candidate of names) {
      const file = path.join(folder, candidate)
      try {
        fs.accessSync(file, fs.constants.X_OK)
        if (fs.statSync(file).isFile()) return file
      } catch {
        // not in this folder
      }
    }
  }
  return undefined
}

/** Runs a program to its end and never throws: `{ code, output, stdout, timedOut }`, code null when it could not run. */
export function run(program, args, { cwd, env = process.env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    let stdout = ''
    let timedOut = false
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true
            child.kill('SIGKILL')
          }, timeoutMs)
    child.stdout.on('data', (chunk) => {
      stdout = (stdout + chunk).slice(-keptOutput)
      output = (output + chunk).slice(-keptOutput)
    })
    child.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-keptOutput)
    })
    const settle = (code, extra = '') => {
      clearTimeout(timer)
      resolve({ code, output: output + extra, stdout, timedOut })
    }
    child.on('error', (error) => settle(null, error.message))
    child.on('close', (code) => settle(code))
  })
}

/** The last lines of an output that say something, for an error message. */
export const lastLines = (output, count = 12) =>
  output
    .split('\n')
    .filter((text) => text.trim() !== '')
    .slice(-count)
    .join('\n')

/** The same of npm's output, without the usage, the stacks and the pointers to logs that its reasons drown in. */
export const lastNpmLines = (output, count) =>
  lastLines(
    output
      .replace(/^npm (?:error|ERR!) Usage:$[^]*/m, '')
      .replace(/^npm (?:error|ERR!)(?: {2,}.*| \}.*| A complete log .*| *)$/gm, ''),
    count,
  )

/**
 * Runs a program in the foreground, passes signals on, and returns the exit code to end with.
 * Ctrl+C in a terminal already reaches every program of the group, so it is not sent twice.
 */
export function runInForeground(program, args, { cwd, env = process.env, stdio = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio })
    const forward = (signal) => {
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    const settle = () => {
      for (const signal of signals) process.off(signal, forward)
    }
    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      settle()
      resolve(code ?? 128 + (os.constants.signals[signal] ?? 0))
    })
  })
}
