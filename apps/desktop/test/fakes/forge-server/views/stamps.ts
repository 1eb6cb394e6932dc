/** Whole seconds, UTC. */
export const stamp = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z')

export const stampOrNull = (time: number | null): string | null => (time === null ? null : stamp(time))
