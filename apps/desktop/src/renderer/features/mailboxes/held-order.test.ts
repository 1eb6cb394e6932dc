import { describe, expect, it } from 'vitest'
import { holdOrder } from './held-order'

describe('holdOrder', () => {
  it('shows the right order when nothing holds it', () => {
    expect(holdOrder([1, 2, 3], [3, 1, 2], false)).toEqual([3, 1, 2])
  })

  it('moves no row under the pointer', () => {
    expect(holdOrder([1, 2, 3], [3, 1, 2], true)).toEqual([1, 2, 3])
  })

  it('lets new rows in at the top and gone ones out meanwhile', () => {
    expect(holdOrder([1, 2, 3], [4, 3, 1], true)).toEqual([4, 1, 3])
  })
})
