/** Source of ids; random on purpose: row numbers repeat after a restore, these do not. */
export interface Randomness {
  /** A random uuid v4, lower case (for native session ids that we choose). */
  uuidV4(): string
  /** A time-ordered uuid v7, lower case (for runs, causes, install id). */
  uuidV7(): string
}
