import './styles/index.css'
import { askForFirstPicture } from './app/first-answers'
import { bridge } from './lib/bridge'

/** An engine that takes longer is waited for with the frame on the screen. */
const frameAfterMs = 300

const { startFailure, restored } = bridge().shell
void (async () => {
  if (startFailure === null && restored === null) {
    const { done } = askForFirstPicture()
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, frameAfterMs))])
  }
  await import('./app/first-picture')
})()
