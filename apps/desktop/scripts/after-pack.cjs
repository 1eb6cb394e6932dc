// Takes out what belongs to a development runtime, and marks a package that is not for release.
const fs = require('node:fs')
const path = require('node:path')

exports.default = async function afterPack({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir)
  fs.rmSync(path.join(resources, 'default_app.asar'), { force: true })
  fs.rmSync(path.join(appOutDir, 'version'), { force: true })
  const binding = process.env.ALFRED_PACKAGE_BINDING
  if (binding) {
    fs.mkdirSync(path.join(resources, 'native'), { recursive: true })
    fs.copyFileSync(binding, path.join(resources, 'native', 'better_sqlite3.node'))
  }
  const mark = process.env.ALFRED_PACKAGE_UNRELEASED
  if (mark) fs.writeFileSync(path.join(appOutDir, 'UNRELEASED.txt'), `${mark}\n`)
}
