import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { later, readTheRest } from './later'

afterEach(() => void vi.unstubAllGlobals())

it('shows nothing before its code is read, and all of it at the first look after that', async () => {
  const Screen = later(() => Promise.resolve(({ name }: { readonly name: string }) => <p>{name}</p>))
  expect(renderToString(<Screen name="run" />)).toBe('')
  vi.stubGlobal('requestIdleCallback', (work: () => void) => work())
  readTheRest()
  await vi.waitFor(() => expect(renderToString(<Screen name="run" />)).toBe('<p>run</p>'))
})
