import { randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { Randomness } from '@main/ports/randomness'

export function createSystemRandomness(): Randomness {
  return { uuidV4: () => randomUUID(), uuidV7: () => uuidv7() }
}
