import { app } from 'electron'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from './boot/data-folder'
import { startDesktop } from './boot/desktop'
import { profileFolder } from './boot/profile-folder'
import { hasNoGraphics } from './windows/graphics'

// The lock is per profile, and the profile lies in the data folder: one window for each set of data.
const home = dataFolder(process)
app.setPath('userData', profileFolder(home))

// Windows shows notifications only of an app that has said who it is
app.setAppUserModelId('invalid.example.alfred')
// on Linux the .desktop file of the package says so, and nothing here touches the person's defaults
if (app.isPackaged && process.platform !== 'linux') app.setAsDefaultProtocolClient('alfred')

if (hasNoGraphics(process.platform, existsSync)) app.disableHardwareAcceleration()

if (app.requestSingleInstanceLock()) {
  startDesktop({
    home,
    resources: app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'resources'),
  })
} else {
  // the first one was told and shows its window
  app.quit()
}
