/**
 * The order in which rows are shown while a person points at the list or works in it: what was there stays where it
 * was, what is new comes on top, what is gone goes. `fresh` is the order that is right; it shows once nothing holds.
 */
export function holdOrder<T>(shown: readonly T[], fresh: readonly T[], isHeld: boolean): readonly T[] {
  if (!isHeld) return fresh
  const stillThere = new Set(fresh)
  const known = new Set(shown)
  return [...fresh.filter((key) => !known.has(key)), ...shown.filter((key) => stillThere.has(key))]
}
