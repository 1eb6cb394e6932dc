import { describe, expect, it } from 'vitest'
import { strokeName } from './match-key'

const stroke = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
})

describe('strokeName', () => {
  it('names letters in capitals, with Shift only where it is held', () => {
    expect(strokeName(stroke('r'), false)).toBe('R')
    expect(strokeName(stroke('R', { shiftKey: true }), false)).toBe('Shift+R')
  })

  it('gives no Shift to a sign that cannot be typed without it', () => {
    expect(strokeName(stroke('?', { shiftKey: true }), false)).toBe('?')
  })

  it('takes Cmd for Ctrl on macOS, and leaves Ctrl to the system there', () => {
    expect(strokeName(stroke('k', { metaKey: true }), true)).toBe('Ctrl+K')
    expect(strokeName(stroke('k', { ctrlKey: true }), true)).toBe('K')
    expect(strokeName(stroke('`', { ctrlKey: true }), true)).toBe('Ctrl+`')
  })

  it('names arrows and other long keys shortly', () => {
    expect(strokeName(stroke('ArrowLeft', { altKey: true }), false)).toBe('Alt+Left')
    expect(strokeName(stroke('F6', { shiftKey: true }), false)).toBe('Shift+F6')
    expect(strokeName(stroke('Escape'), false)).toBe('Esc')
  })
})
