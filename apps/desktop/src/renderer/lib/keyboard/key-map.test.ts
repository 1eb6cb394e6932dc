import { describe, expect, it } from 'vitest'
import { actionIds, actionsOfStroke, keyMap } from './key-map'
import { ariaShortcut, keyLabel } from './key-label'

describe('keyMap', () => {
  it('gives no key to two actions', () => {
    const taken = actionIds.flatMap((id) => keyMap[id].keys)
    expect(new Set(taken).size).toBe(taken.length)
  })

  it('marks every single letter and sign, which only act inside lists', () => {
    for (const id of actionIds) {
      const isPlain = keyMap[id].keys.some((keys) => /^(Shift\+)?[A-Z[\]/?]$/.test(keys))
      expect([id, keyMap[id].isLetter === true]).toEqual([id, isPlain])
    }
  })

  it('finds the action of a stroke', () => {
    expect(actionsOfStroke('Ctrl+P')).toEqual(['open-palette'])
    expect(actionsOfStroke('Shift+R')).toEqual(['retry-fresh'])
    expect(actionsOfStroke('Ctrl+J')).toEqual([])
  })

  it('prints and speaks keys as the platform has them', () => {
    expect(keyLabel('Ctrl+Shift+A', false)).toBe('Ctrl Shift A')
    expect(keyLabel('Ctrl+Shift+A', true)).toBe('⌘ ⇧ A')
    expect(keyLabel('Ctrl++', false)).toBe('Ctrl +')
    expect(ariaShortcut('Ctrl+K', false)).toBe('Control+K')
    expect(ariaShortcut('Ctrl+K', true)).toBe('Meta+K')
  })
})
