import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('alfred', {})
