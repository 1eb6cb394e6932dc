import { expect, type Locator } from '@playwright/test'
import type { AlfredWindow } from './alfred-window'

/** A chat with a memory of an issue. */
export class ChatPage {
  constructor(readonly alfred: AlfredWindow) {}

  get panel(): Locator {
    return this.alfred.part('chat-panel')
  }

  get banner(): Locator {
    return this.alfred.part('resume-banner')
  }

  get text(): Locator {
    return this.alfred.part('chat-text')
  }

  get send(): Locator {
    return this.alfred.part('send-message')
  }

  get stop(): Locator {
    return this.alfred.page.locator('button[data-test="stop-turn"]')
  }

  get badges(): Locator {
    return this.alfred.part('chat-messages').getByTestId('session-badge')
  }

  get fallback(): Locator {
    return this.alfred.part('chat-fallback-notice')
  }

  messages(role: 'person' | 'agent'): Locator {
    return this.alfred.page.locator(`[data-test="chat-message"][data-role="${role}"]`)
  }

  /** A memory of the issue by its letter. */
  memory(letter: string): Locator {
    return this.alfred.page.locator(`[data-test="thread-row"][data-thread="${letter}"]`)
  }

  get chats(): Locator {
    return this.alfred.part('chat-row')
  }

  /** What is to go along with the next message. */
  get attachments(): Locator {
    return this.alfred.part('chat-composer').getByTestId('attachment')
  }

  async attach(name: string, text: string): Promise<void> {
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
    await this.alfred.part('attach-files').setInputFiles(file)
  }

  /** As from another program. */
  async pastePicture(name: string): Promise<void> {
    await this.text.evaluate((box, fileName) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], fileName, { type: 'image/png' }))
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, name)
  }

  /** Types into what has the focus, and waits for the answer. */
  async say(message: string): Promise<void> {
    const before = await this.messages('agent').count()
    await expect(this.text).toBeFocused()
    await this.alfred.page.keyboard.type(message)
    await this.alfred.page.keyboard.press('Enter')
    await expect(this.text).toHaveValue('')
    await expect(this.messages('agent')).toHaveCount(before + 1, { timeout: 90_000 })
  }
}
