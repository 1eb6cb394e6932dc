import { describe, expect, it } from 'vitest'
import { attachmentFile, attachmentName } from './attachment-name'

describe('the name of an attachment', () => {
  it.each([
    ['photo of the pier.png', 'attachment-1-photo-of-the-pier.png'],
    ['../../etc/passwd', 'attachment-1-etc-passwd'],
    ['--force', 'attachment-1-force'],
    ['$(reboot); `x`.txt', 'attachment-1-reboot-x-.txt'],
    ['Übersicht.md', 'attachment-1-U-bersicht.md'],
    ['漢字', 'attachment-1-file'],
    ['.', 'attachment-1-file'],
  ])('is a plain word inside the sandbox: %s', (name, file) => expect(attachmentFile(name, 1)).toBe(file))

  it('is short there and keeps its end', () =>
    expect(attachmentFile(`${'a'.repeat(300)}.png`, 12)).toMatch(/^attachment-12-a{56}\.png$/))

  it.each([
    ['/home/ada/notes.txt', 'notes.txt'],
    [String.raw`C:\Users\ada\notes.txt`, 'notes.txt'],
    ['report\u202Efdp.exe', 'reportfdp.exe'],
    ['a\u0000\nb.txt', 'ab.txt'],
    ['  ', 'file'],
  ])('is what people would call it: %j', (name, words) => expect(attachmentName(name)).toBe(words))
})
