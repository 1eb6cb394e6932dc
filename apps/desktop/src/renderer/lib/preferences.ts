import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { z } from 'zod'

export const themeSchema = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof themeSchema>

const preferencesSchema = z.object({
  theme: themeSchema.catch('system'),
  /** 0.9 to 1.5 */
  textScale: z.number().min(0.9).max(1.5).catch(1),
  /** Single letters act while a list, timeline or transcript has the focus. */
  letterKeys: z.boolean().catch(true),
  reducedMotion: z.boolean().catch(false),
  /** Pane widths in pixels by display size ("1920x1080"). */
  paneWidths: z
    .record(z.string(), z.object({ sidebar: z.number().optional(), list: z.number().optional() }))
    .catch({}),
})
export type Preferences = z.infer<typeof preferencesSchema>

const initial: Preferences = preferencesSchema.parse({
  theme: 'system',
  textScale: 1,
  letterKeys: true,
  reducedMotion: false,
  paneWidths: {},
})

/** How this window looks and listens on this computer; kept by the browser profile, not by the engine. */
export const usePreferences = create<Preferences>()(
  persist(() => initial, {
    name: 'alfred-preferences',
    merge: (stored, current) => {
      const parsed = preferencesSchema.safeParse({ ...current, ...(stored as object | null) })
      return parsed.success ? parsed.data : current
    },
  }),
)

export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change)
}

/** Widths of the panes that can be dragged: least, most and as drawn. Pixels. */
export const paneLimits = {
  sidebar: { min: 204, max: 320, initial: 204 },
  list: { min: 232, max: 420, initial: 296 },
} as const
export type Pane = keyof typeof paneLimits

const displayKey = (): string => `${screen.width}x${screen.height}`

const widthOf = ({ paneWidths }: Preferences, pane: Pane): number => {
  const { min, max, initial } = paneLimits[pane]
  return Math.max(min, Math.min(max, paneWidths[displayKey()]?.[pane] ?? initial))
}

/** The widths on this display. */
export const usePaneWidth = (pane: Pane): number => usePreferences((state) => widthOf(state, pane))

/** Null: as drawn. */
export function setPaneWidth(pane: Pane, width: number | null): void {
  usePreferences.setState(({ paneWidths }) => ({
    paneWidths: {
      ...paneWidths,
      [displayKey()]: { ...paneWidths[displayKey()], [pane]: width ?? undefined },
    },
  }))
}

export const textScales = [0.9, 1, 1.1, 1.25, 1.4, 1.5] as const

/** The next larger (+1) or smaller (-1) text size. */
export function stepTextScale(current: number, step: 1 | -1): number {
  const index = textScales.findIndex((scale) => scale >= current - 0.001)
  return textScales[Math.max(0, Math.min(textScales.length - 1, index + step))] ?? 1
}

/** Writes the preferences onto the document: theme, text size, motion. Returns what ends it. */
export function applyPreferences(root: HTMLElement): () => void {
  const apply = ({ theme, textScale, reducedMotion }: Preferences): void => {
    if (theme === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = theme
    root.style.setProperty('--text-scale', String(textScale))
    root.toggleAttribute('data-reduced-motion', reducedMotion)
  }
  apply(usePreferences.getState())
  return usePreferences.subscribe(apply)
}
