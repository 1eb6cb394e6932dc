import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A display of its own, with what a person does at it: real keys, sent to the window that has the focus. */
export interface Display {
  /** For DISPLAY. */
  readonly name: string
  /** The window whose title says this, once it is there. */
  window(title: string): Promise<string>
  focus(window: string): Promise<void>
  type(text: string): Promise<void>
  press(key: string): Promise<void>
  close(): void
}

export async function startDisplay(): Promise<Display> {
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await new Promise<string>((resolve, reject) => {
    let text = ''
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`Xvfb ended at once with code ${code}`)))
    server.stdio[3]?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.trim())
    })
  })
  const name = `:${number}`
  const xdotool = async (...words: readonly string[]): Promise<string> =>
    (await run('xdotool', words, { env: { ...process.env, DISPLAY: name }, timeout: 60_000 })).stdout.trim()
  return {
    name,
    window: async (title) =>
      (await xdotool('search', '--sync', '--onlyvisible', '--name', title)).split('\n')[0] ?? '',
    focus: async (window) => void (await xdotool('windowfocus', '--sync', window)),
    type: async (text) => void (await xdotool('type', '--delay', '20', '--', text)),
    press: async (key) => void (await xdotool('key', '--', key)),
    close: () => void server.kill('SIGTERM'),
  }
}
