import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './fixtures'
import { colourSchemes, type AlfredWindow } from './pages/alfred-window'
import { freshScenes, playedScenes, smallScenes, type Scene } from './scenes'

test.setTimeout(240_000)

test('every screen of a played demo is kept as a picture, and axe finds nothing serious on it', async ({ demoHome, start }) => {
  await walk(await start({ home: demoHome }), playedScenes)
})

test('so are the screens of a new installation', async ({ start }) => {
  await walk(await start(), freshScenes)
})

test('so are the screens of the smallest window', async ({ demoHome, start }) => {
  const alfred = await start({ home: demoHome })
  await alfred.resize(960, 600)
  await walk(alfred, smallScenes)
})

async function walk(alfred: AlfredWindow, scenes: readonly Scene[]): Promise<void> {
  const problems: string[] = []
  for (const scene of scenes) {
    await test.step(scene.name, async () => {
      await scene.show(alfred)
      await alfred.screenshot(scene.name)
      for (const scheme of colourSchemes) {
        await alfred.showAs(scheme)
        problems.push(...(await seriousProblems(alfred)).map((problem) => `${scene.name}, ${scheme}: ${problem}`))
      }
      await scene.leave?.(alfred)
    })
  }
  expect(problems).toEqual([])
}

/** What axe calls serious or critical, one line for each element. */
async function seriousProblems({ page }: AlfredWindow): Promise<readonly string[]> {
  // the newer mode opens a page of its own, which Electron does not do
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary?.replaceAll('\n', ' ') ?? ''}`))
}
