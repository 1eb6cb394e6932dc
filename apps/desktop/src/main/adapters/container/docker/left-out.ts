/** Stands in for packages of the Docker client that the app does not use, see electron.vite.config.ts. */
export {}
