import { describe, expect, it } from 'vitest'
import { boundsToOpenWith, firstSize, parseBounds, smallestSize } from './window-bounds'

const screen = { x: 0, y: 0, width: 1920, height: 1080 }
const saved = { x: 100, y: 60, width: 1400, height: 900, isMaximized: false }

describe('bounds of the window', () => {
  it('opens at the first size where nothing is saved', () => {
    expect(boundsToOpenWith(null, [screen])).toEqual(firstSize)
  })

  it('comes back where it was', () => {
    expect(boundsToOpenWith(saved, [screen])).toEqual({ x: 100, y: 60, width: 1400, height: 900 })
  })

  it('forgets a place on a screen that is gone', () => {
    expect(boundsToOpenWith({ ...saved, x: 2500 }, [screen])).toEqual(firstSize)
  })

  it('comes back on a second screen left of the first', () => {
    const second = { x: -1600, y: 0, width: 1600, height: 900 }
    expect(boundsToOpenWith({ ...saved, x: -1500 }, [screen, second])).toMatchObject({ x: -1500 })
  })

  it('forgets a place whose title bar is above the screen', () => {
    expect(boundsToOpenWith({ ...saved, y: -30 }, [screen])).toEqual(firstSize)
  })

  it('fits a screen that has become smaller, and the smallest size', () => {
    const small = { x: 0, y: 0, width: 1280, height: 720 }
    expect(boundsToOpenWith(saved, [small])).toMatchObject({ width: 1280, height: 720 })
    expect(boundsToOpenWith({ ...saved, width: 300, height: 200 }, [screen])).toMatchObject(smallestSize)
  })

  it.each(['', '{', '[]', '{"x":1}', '{"x":0,"y":0,"width":-1,"height":5,"isMaximized":false}'])(
    'takes an unreadable file %j as none',
    (text) => {
      expect(parseBounds(text)).toBeNull()
    },
  )

  it('reads what it saved', () => {
    expect(parseBounds(JSON.stringify(saved))).toEqual(saved)
  })
})
