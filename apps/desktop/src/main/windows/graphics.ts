/** What graphics are drawn with on Linux: the kernel's devices, a driver's own without them, those of a Windows around it. */
const devices = ['/dev/dri', '/dev/nvidia0', '/dev/dxg'] as const

/**
 * Whether this computer has no graphics device, as virtual machines, containers and remote desktops often have none.
 * Chromium then emulates one on the processor, which costs time and memory; drawing on the processor directly does not.
 */
export const hasNoGraphics = (platform: NodeJS.Platform, exists: (path: string) => boolean): boolean =>
  platform === 'linux' && !devices.some(exists)
