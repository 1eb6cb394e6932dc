import { expect, test } from 'vitest'
import { hasNoGraphics } from './graphics'

const only =
  (...there: readonly string[]) =>
  (path: string): boolean =>
    there.includes(path)

test('a Linux without any graphics device has none', () => {
  expect(hasNoGraphics('linux', only())).toBe(true)
  expect(hasNoGraphics('linux', only('/dev/fb0'))).toBe(true)
})

test.each(['/dev/dri', '/dev/nvidia0', '/dev/dxg'])('a Linux with %s has some', (device) => {
  expect(hasNoGraphics('linux', only(device))).toBe(false)
})

test('other systems know by themselves', () => {
  expect(hasNoGraphics('darwin', only())).toBe(false)
  expect(hasNoGraphics('win32', only())).toBe(false)
})
