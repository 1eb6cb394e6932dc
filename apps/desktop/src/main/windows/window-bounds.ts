import { z } from 'zod'

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

const savedBoundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isMaximized: z.boolean(),
})
export type SavedBounds = z.infer<typeof savedBoundsSchema>

/** How much of the title bar must be on a screen, so that the window can be grasped. */
const graspable = { width: 120, height: 40 } as const

export function parseBounds(text: string): SavedBounds | null {
  try {
    return savedBoundsSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

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
