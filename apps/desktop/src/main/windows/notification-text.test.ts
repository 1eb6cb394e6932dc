import { describe, expect, it } from 'vitest'
import { notificationBody } from './notification-text'

describe('the body of a notification', () => {
  it('is no markup on Linux', () => {
    expect(notificationBody('<b>a & b</b>', 'linux')).toBe('&lt;b&gt;a &amp; b&lt;/b&gt;')
  })

  it('is left as it is where it is plain text', () => {
    expect(notificationBody('<b>a & b</b>', 'darwin')).toBe('<b>a & b</b>')
  })

  it('is cut before it is escaped, so that no half entity is left', () => {
    expect(notificationBody('&'.repeat(400), 'linux')).toBe(`${'&amp;'.repeat(299)}…`)
  })
})
