// The rival of the cold start: the least that an Electron app can be.
const { app, BrowserWindow } = require('electron')

void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800 })
  void window.loadFile('index.html')
})
app.on('window-all-closed', () => app.quit())
