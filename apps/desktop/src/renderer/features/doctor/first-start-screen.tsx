/** "Make this computer ready" beside the demo (first-start.html); the same screen is Diagnostics later. */
export function FirstStartScreen({ isDiagnostics }: { readonly isDiagnostics: boolean }) {
  return <main data-test="first-start">{isDiagnostics ? 'Diagnostics' : 'First start'}</main>
}
