/**
 * Options of a virtual list that draw its rows in its first picture, and not only after the list has been measured:
 * as if it were as high as the window. `scrollTop` says where it begins, if not at the top.
 */
export const drawnAtOnce = (scrollTop: () => number = () => 0) => ({
  initialRect: { width: window.innerWidth, height: window.innerHeight },
  initialOffset: () => Math.max(0, scrollTop()),
})
