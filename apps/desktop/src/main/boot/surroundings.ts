import { userInfo } from 'node:os'
import type { AppUser } from '../core/sandbox/sandbox-user'

/** Who this process is; null where the system has no such ids. */
export function appUserOfProcess(): AppUser {
  const uid = process.getuid?.()
  const gid = process.getgid?.()
  return uid === undefined || gid === undefined ? null : { uid, gid }
}

export function personOfComputer() {
  return { userName: userNameOfSystem(), fullName: null, email: null }
}

/** A uid without an entry in the system's list of users has no name. */
function userNameOfSystem(): string {
  try {
    return userInfo().username
  } catch {
    return process.env['USER'] ?? 'me'
  }
}
