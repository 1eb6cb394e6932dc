/*
 * Where the window was, and whether that place still exists: screens are unplugged between two starts.
 */

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const firstSize = { width: 1280, height: 800 } as const
export const smallestSize = { width: 960, height: 600 } as const

export interface SavedBounds extends Rectangle {
  readonly isMaximized: boolean
}

/** How much of the title bar must be on a screen, so that the window can be grasped. */
const graspable = { width: 120, height: 40 } as const

/** By hand and not by a schema: the window must not wait for what reads schemas. */
export function parseBounds(text: string): SavedBounds | null {
  try {
    return boundsIn(JSON.parse(text))
  } catch {
    return null
  }
}

function boundsIn(value: unknown): SavedBounds | null {
  if (typeof value !== 'object' || value === null) return null
  const { x, y, width, height, isMaximized }: Partial<Record<keyof SavedBounds, unknown>> = value
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return null
  if (width <= 0 || height <= 0 || typeof isMaximized !== 'boolean') return null
  return { x, y, width, height, isMaximized }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/**
 * What to open the window with. Without a position the system centres it; a size is never smaller than the smallest
 * one, nor larger than the screen that it lies on.
 */
export function boundsToOpenWith(
  saved: SavedBounds | null,
  screens: readonly Rectangle[],
): { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number } {
  if (saved === null) return firstSize
  const screen = screens.find((area) => titleBarIsOn(saved, area))
  if (screen === undefined) return firstSize
  return {
    x: saved.x,
    y: saved.y,
    width: between(saved.width, smallestSize.width, screen.width),
    height: between(saved.height, smallestSize.height, screen.height),
  }
}

function titleBarIsOn(window: Rectangle, screen: Rectangle): boolean {
  const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const top = window.y - screen.y
  return width >= graspable.width && top >= 0 && top <= screen.height - graspable.height
}

const between = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))
