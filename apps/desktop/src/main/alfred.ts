import { runHeadless } from './boot/headless'

void runHeadless().then((code) => {
  process.exitCode = code
})
