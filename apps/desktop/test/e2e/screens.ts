import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { colourSchemes, type AlfredWindow } from './pages/alfred-window'

/** Keeps what is on the screen as NAME-light.png and NAME-dark.png, and lets axe look at both. */
export async function keepScreen(alfred: AlfredWindow, name: string): Promise<void> {
  await alfred.screenshot(name)
  for (const scheme of colourSchemes) {
    await alfred.showAs(scheme)
    expect.soft(await seriousProblems(alfred), `${name}, ${scheme}`).toEqual([])
  }
}

/** What axe calls serious or critical, one line for each element. */
async function seriousProblems({ page }: AlfredWindow): Promise<readonly string[]> {
  // the newer mode opens a page of its own, which Electron does not do
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(
        (node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary?.replaceAll('\n', ' ') ?? ''}`,
      ),
    )
}
