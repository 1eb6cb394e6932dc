import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app'
import { beginWithFirstPicture } from './app/first-picture'
import { bridge } from './lib/bridge'
import { queryClient } from './lib/query-client'

const root = document.querySelector('#root')
const { startFailure, restored } = bridge().shell
const draw = (): void => {
  if (root) createRoot(root).render(<App />)
}
if (startFailure === null && restored === null) void beginWithFirstPicture(queryClient, draw)
else draw()
