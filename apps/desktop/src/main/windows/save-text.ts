import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { app, dialog, type BrowserWindow } from 'electron'
import { z } from 'zod'

const wish = z.object({ fileName: z.string().min(1).max(200), text: z.string().max(100_000_000) })

/** Asks where to keep a text of the window, and writes it there. The window says no folder and learns none. */
export async function saveText(window: BrowserWindow, value: unknown): Promise<void> {
  const asked = wish.safeParse(value)
  if (!asked.success) return
  const { fileName, text } = asked.data
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: join(app.getPath('documents'), basename(fileName)),
    filters: [{ name: 'Markdown', extensions: ['md'] }],
  })
  if (canceled || filePath === '') return
  try {
    await writeFile(filePath, text, { mode: 0o600 })
  } catch (error) {
    await dialog.showMessageBox(window, {
      type: 'error',
      message: 'The chat was not saved.',
      detail: `${error instanceof Error ? error.message : String(error)}\nChoose another place.`,
    })
  }
}
