/** Which program opens `alfred://` links. */
export type LinkHandler =
  | { readonly state: 'set'; readonly program: string }
  | { readonly state: 'none' }
  /** This system registers it with the app, or has nothing to ask. */
  | { readonly state: 'not_asked' }

/** What the desktop around this process does for its programs. Asked anew each time: sessions change. */
export interface DesktopServices {
  /** Whether it shows notifications; false when nobody can say. */
  showsNotifications(): Promise<boolean>
  /** Whether it shows tray icons; false when nobody can say. */
  showsTray(): Promise<boolean>
  linkHandler(): Promise<LinkHandler>
}
