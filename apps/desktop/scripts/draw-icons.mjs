// Draws the icons in resources/icons: `electron --no-sandbox scripts/draw-icons.mjs` on any display.
// The tray tells its states by shape, since panels are often grey; black and white ink follow the theme of the desktop.
import { app, BrowserWindow } from 'electron'
import fs from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '..', 'resources', 'icons')
const bowTie = `<path d="M2.5 6.2c0-.8.9-1.3 1.6-.9L9.5 8.7v6.6l-5.4 3.4c-.7.4-1.6-.1-1.6-.9z"/>
  <path d="M21.5 6.2c0-.8-.9-1.3-1.6-.9l-5.4 3.4v6.6l5.4 3.4c.7.4 1.6-.1 1.6-.9z"/>
  <rect x="10.3" y="8.9" width="3.4" height="6.2" rx="1.2"/>`

// each sign with the room that is cut out of the bow tie for it
const signs = {
  plain: { room: '', sign: '' },
  dot: { room: '<circle cx="18" cy="17.5" r="6.4"/>', sign: '<circle cx="18" cy="17.5" r="4.6"/>' },
  triangle: {
    room: '<path d="M17.3 8.6 25.6 24H9z" stroke="#000" stroke-width="3" stroke-linejoin="round"/>',
    sign: '<path fill-rule="evenodd" d="M17.3 10.6 24 23H10.6zM16.5 14.6v4h1.6v-4zM16.5 19.6v1.7h1.6v-1.7z"/>',
  },
  bars: {
    room: '<rect x="12.4" y="11" width="12" height="14"/>',
    sign: '<rect x="14.4" y="13" width="3" height="10" rx=".8"/><rect x="19.6" y="13" width="3" height="10" rx=".8"/>',
  },
}
for (const text of ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'more']) {
  const shown = text === 'more' ? '9+' : text
  const x = text === 'more' ? 9.4 : 13.2
  signs[`number-${text}`] = {
    room: `<rect x="${x - 0.6}" y="10.2" width="${25.4 - x}" height="15"/>`,
    sign: `<text x="23.6" y="23" text-anchor="end" font-family="DejaVu Sans" font-weight="700" font-size="${text === 'more' ? 11.5 : 15}">${shown}</text>`,
  }
}

const tray = ({ room, sign }, ink) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <mask id="m"><rect width="24" height="24" fill="#fff"/><g fill="#000">${room}</g></mask>
  <g fill="${ink}"><g mask="url(#m)">${bowTie}</g>${sign}</g></svg>`

const appIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <rect x="1" y="1" width="22" height="22" rx="5.2" fill="#0c666a"/>
  <g fill="#ffffff" transform="translate(12 12) scale(.74) translate(-12 -12)">${bowTie}</g></svg>`

// no top-level await: the runtime is ready only after this file has run
void app.whenReady().then(async () => {
  const window = new BrowserWindow({
    width: 1100,
    height: 1100,
    show: false,
    frame: false,
    transparent: true,
    webPreferences: { offscreen: true },
  })
  await window.loadURL('data:text/html,<canvas></canvas>')

  const draw = async (name, svg, size) => {
    const url = await window.webContents.executeJavaScript(`new Promise((resolve, reject) => {
      const image = new Image()
      image.onerror = () => reject(new Error('not drawn'))
      image.onload = () => {
        const canvas = document.querySelector('canvas')
        canvas.width = canvas.height = ${size}
        canvas.getContext('2d').drawImage(image, 0, 0, ${size}, ${size})
        resolve(canvas.toDataURL('image/png'))
      }
      image.src = 'data:image/svg+xml;base64,' + ${JSON.stringify(Buffer.from(svg.replace('<svg ', `<svg width="${size}" height="${size}" `)).toString('base64'))}
    })`)
    fs.writeFileSync(path.join(folder, `${name}.png`), Buffer.from(url.split(',')[1], 'base64'))
  }

  fs.mkdirSync(folder, { recursive: true })
  for (const [name, parts] of Object.entries(signs)) {
    for (const ink of ['black', 'white']) {
      await draw(`tray-${name}-${ink}`, tray(parts, ink), 22)
      await draw(`tray-${name}-${ink}@2x`, tray(parts, ink), 44)
    }
  }
  await draw('icon', appIcon, 1024)
  // the same for the window's frame: the large one takes a tenth of a second to decode and to hand over
  await draw('window', appIcon, 128)
  app.exit(0)
})
