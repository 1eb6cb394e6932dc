/** Alfred's own login on the local forge, which no person can have. */
export const alfredLogin = 'alfred'

/** A user name of the system as a login of the local forge: `[A-Za-z0-9][A-Za-z0-9._-]*`, at most 39 characters. */
export function toLogin(userName: string): string {
  const login = userName
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    // `DOMAIN\\user` is the user.
    .replace(/^.*\\/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 39)
  if (login === '') return 'me'
  return login.toLowerCase() === alfredLogin ? `${login}-me` : login
}
