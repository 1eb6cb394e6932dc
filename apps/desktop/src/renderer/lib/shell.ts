import { bridge } from './bridge'

/** Puts text on the system's clipboard. */
export const copyText = (text: string): void => bridge().shell.copyText(text)

/** Asks where to keep a text, and writes it there. */
export const saveText = (fileName: string, text: string): void => bridge().shell.saveText(fileName, text)

/** Opens a web address in the browser. */
export const openExternal = (url: string): void => bridge().shell.openExternal(url)
