import type { IconNode, SVGProps } from 'lucide'

/**
 * A drawn icon (24 by 24, strokes only) as the `d` of one path. The library draws an icon from two to four elements;
 * a window full of them is drawn markedly sooner with one each.
 * @throws TypeError for an element that has no path, which a test over all icons in use rules out
 */
export function iconPath(icon: IconNode): string {
  return icon.map(([tag, props]) => elementPath(tag, props)).join('')
}

function elementPath(tag: string, props: SVGProps): string {
  const at = (name: string): number => Number(props[name] ?? 0)
  switch (tag) {
    case 'path':
      // A path may begin with a relative step, which would go on from where the element before it ended.
      return `M0 0${String(props['d'])}`
    case 'line':
      return `M${at('x1')} ${at('y1')}L${at('x2')} ${at('y2')}`
    case 'polyline':
      return `M${String(props['points'])}`
    case 'polygon':
      return `M${String(props['points'])}z`
    case 'circle':
      return ellipse(at('cx'), at('cy'), at('r'), at('r'))
    case 'ellipse':
      return ellipse(at('cx'), at('cy'), at('rx'), at('ry'))
    case 'rect':
      return roundedRect(at('x'), at('y'), at('width'), at('height'), Number(props['rx'] ?? props['ry'] ?? 0))
    default:
      throw new TypeError(`an icon holds <${tag}>, which is not drawn`)
  }
}

function ellipse(cx: number, cy: number, rx: number, ry: number): string {
  const half = (dx: number): string => `a${rx} ${ry} 0 1 0 ${dx} 0`
  return `M${cx - rx} ${cy}${half(2 * rx)}${half(-2 * rx)}z`
}

function roundedRect(x: number, y: number, width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2)
  const corner = (dx: number, dy: number): string => `a${r} ${r} 0 0 1 ${dx} ${dy}`
  return [
    `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}`,
    `h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}z`,
  ].join('')
}
