import { createFakeEngine, type FakeEngine } from './fake-engine-bridge'

declare global {
  interface Window {
    fakeEngine: FakeEngine
  }
}

const wanted = new URLSearchParams(location.search)
window.fakeEngine = createFakeEngine(wanted.get('scenario') ?? 'busy')
Object.defineProperty(window, 'alfred', { value: window.fakeEngine.bridge })
const theme = wanted.get('theme')
if (theme)
  localStorage.setItem(
    'alfred-preferences',
    JSON.stringify({ state: { theme, textScale: Number(wanted.get('scale') ?? 1) }, version: 0 }),
  )
