import { expect, it } from 'vitest'
import { icons } from './icon'
import { iconPath } from './icon-path'

it.each(Object.entries(icons))('draws the icon %s in one path', (_, icon) => {
  const path = iconPath(icon)
  expect(path).toMatch(/^M[\d.]/)
  expect(path).not.toContain('NaN')
})

it('starts each element at its own place, also after one that ended elsewhere', () => {
  expect(
    iconPath([
      ['path', { d: 'm21 21-4-4' }],
      ['path', { d: 'm3 3 2 2' }],
    ]),
  ).toBe('M0 0m21 21-4-4M0 0m3 3 2 2')
})

it.each([
  ['line', { x1: 1, y1: '2', x2: 3, y2: 4 }, 'M1 2L3 4'],
  ['polyline', { points: '1 2 3 4' }, 'M1 2 3 4'],
  ['polygon', { points: '1 2 3 4 5 6' }, 'M1 2 3 4 5 6z'],
  ['circle', { cx: 12, cy: 12, r: 10 }, 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z'],
  ['ellipse', { cx: 12, cy: 5, rx: 9, ry: 3 }, 'M3 5a9 3 0 1 0 18 0a9 3 0 1 0 -18 0z'],
  [
    'rect',
    { x: 3, y: 4, width: 18, height: 10, rx: 2 },
    'M5 4h14a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2z',
  ],
])('draws a %s', (tag, props, path) => {
  expect(iconPath([[tag, props]])).toBe(path)
})

it('refuses an element that it cannot draw', () => {
  expect(() => iconPath([['text', {}]])).toThrow('<text>')
})
