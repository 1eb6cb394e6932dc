import { expect, test } from '@playwright/test'
import { launch, type RunningApp } from './launch'

let alfred: RunningApp

test.beforeEach(async () => {
  alfred = await launch()
})

test.afterEach(async () => {
  await alfred.close()
})

test('the window opens and names the app', async () => {
  await expect(alfred.window).toHaveTitle(/Alfred/)
  await alfred.window.screenshot({ path: test.info().outputPath('window.png') })
})

test('the page has no Node and cannot leave its own process', async () => {
  const reachable = await alfred.window.evaluate(() => [
    typeof Reflect.get(globalThis, 'require'),
    typeof Reflect.get(globalThis, 'process'),
  ])
  expect(reachable).toEqual(['undefined', 'undefined'])
})
