import { create } from 'zustand'
import { persist } from 'zustand/middleware'

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export interface Preferences {
  readonly theme: Theme
  /** 0.9 to 1.5 */
  readonly textScale: number
  /** Single letters act while a list, timeline or transcript has the focus. */
  readonly letterKeys: boolean
  readonly reducedMotion: boolean
  /** Pane widths in pixels by display size ("1920x1080"). */
  readonly paneWidths: Readonly<Record<string, PaneWidths>>
}
type PaneWidths = Readonly<Partial<Record<Pane, number | undefined>>>

const initial: Preferences = {
  theme: 'system',
  textScale: 1,
  letterKeys: true,
  reducedMotion: false,
  paneWidths: {},
}

/** What was kept, by hand and not by a schema: it is read before the first picture. What does not fit is as at first. */
export function keptPreferences(kept: unknown): Preferences {
  if (!isObject(kept)) return initial
  const { theme, textScale, letterKeys, reducedMotion, paneWidths } = kept
  return {
    theme: themes.find((known) => known === theme) ?? initial.theme,
    textScale:
      typeof textScale === 'number' && textScale >= 0.9 && textScale <= 1.5 ? textScale : initial.textScale,
    letterKeys: typeof letterKeys === 'boolean' ? letterKeys : initial.letterKeys,
    reducedMotion: typeof reducedMotion === 'boolean' ? reducedMotion : initial.reducedMotion,
    paneWidths: isObject(paneWidths) ? widthsIn(paneWidths) : initial.paneWidths,
  }
}

const widthsIn = (kept: Readonly<Record<string, unknown>>): Preferences['paneWidths'] =>
  Object.fromEntries(
    Object.entries(kept).flatMap(([display, widths]) =>
      isObject(widths)
        ? [[display, { sidebar: numberIn(widths['sidebar']), list: numberIn(widths['list']) }]]
        : [],
    ),
  )

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** How this window looks and listens on this computer; kept by the browser profile, not by the engine. */
export const usePreferences = create<Preferences>()(
  persist(() => initial, {
    name: 'alfred-preferences',
    merge: (stored) => keptPreferences(stored),
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
