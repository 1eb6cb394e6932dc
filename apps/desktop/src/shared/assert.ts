/** Marks a branch that the types prove unreachable; throws if data from outside reaches it all the same. */
export function assertNever(value: never, what: string): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`)
}

/** Returns the value, or throws: for what an earlier line made certain. `why` names that line's reason. */
export function assertPresent<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new Error(`missing value: ${why}`)
  return value
}
