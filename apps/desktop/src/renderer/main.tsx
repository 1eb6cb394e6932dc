import './lib/zod-without-eval'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app'

const root = document.querySelector('#root')
if (root) createRoot(root).render(<App />)
