import { describe, expect, it } from 'vitest'
import { dockLayout } from './dock-layout'

describe('dockLayout', () => {
  it('gives words to as many buttons as stand in one line', () => {
    expect(dockLayout(1_400, 1)).toBe('words')
    // beside the sidebar and the list of a window of 1280 pixels
    expect(dockLayout(780, 1)).toBe('short')
    expect(dockLayout(680, 1)).toBe('icons')
  })

  it('counts larger text, and gives smaller text no more words', () => {
    expect(dockLayout(780, 1.25)).toBe('icons')
    expect(dockLayout(1_250, 0.9)).toBe('short')
  })
})
