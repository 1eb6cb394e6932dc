import { describe, expect, it } from 'vitest'
import { keptPreferences } from './preferences'

const initial = keptPreferences(null)

describe('kept preferences', () => {
  it('are taken as they were kept', () => {
    const kept = {
      theme: 'dark',
      textScale: 1.25,
      letterKeys: false,
      reducedMotion: true,
      paneWidths: { '1920x1080': { sidebar: 240, list: 320 } },
    }
    expect(keptPreferences(kept)).toEqual(kept)
  })

  it('are as at first where nothing or nonsense was kept', () => {
    for (const kept of [undefined, null, 'dark', 7, {}, { theme: 'pink', textScale: 9, paneWidths: [3] }]) {
      expect(keptPreferences(kept)).toEqual(initial)
    }
  })

  it('lose only what does not fit', () => {
    const kept = {
      theme: 'light',
      textScale: 'big',
      paneWidths: { '1x1': { sidebar: 'wide', list: 300 }, '2x2': 5 },
    }
    expect(keptPreferences(kept)).toEqual({
      ...initial,
      theme: 'light',
      paneWidths: { '1x1': { sidebar: undefined, list: 300 } },
    })
  })
})
