/**
 * Whether projects of connected forges are worked on. While it is false, nothing offers to connect one: no command,
 * no button, no palette entry; and a project of one is not watched.
 */
export const areForgesWired: boolean = true
