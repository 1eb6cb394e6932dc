import { expect, test } from './fixtures'

/*
 * What the page may not do, whatever gets into it. Each of these is tried from inside the real page.
 */

test('the page has no Node, and its bridge lets nothing through but the contract', async ({ start }) => {
  const { page } = await start()
  const reachable = await page.evaluate(async () => ({
    require: typeof Reflect.get(globalThis, 'require'),
    process: typeof Reflect.get(globalThis, 'process'),
    bridge: Object.keys(window.alfred).toSorted(),
    unknown: await window.alfred.invoke('app.quitNow', {}),
    prototype: await window.alfred.invoke('constructor.constructor', 'return 1'),
    broken: await window.alfred.invoke('runs.get', { runId: '1; drop table runs' }),
  }))
  expect(reachable).toMatchObject({
    require: 'undefined',
    process: 'undefined',
    bridge: ['invoke', 'shell', 'subscribe'],
    unknown: { ok: false, error: { type: 'not_found' } },
    prototype: { ok: false, error: { type: 'not_found' } },
    broken: { ok: false, error: { type: 'invalid_input' } },
  })
})

test('the page runs no script that is not its own', async ({ start }) => {
  const { page } = await start()
  const ran = await page.evaluate(async () => {
    const inline = document.createElement('script')
    inline.textContent = 'globalThis.inlineRan = true'
    document.head.append(inline)
    const foreign = document.createElement('script')
    foreign.src = 'data:text/javascript,globalThis.foreignRan = true'
    document.head.append(foreign)
    await new Promise((resolve) => {
      foreign.addEventListener('error', resolve)
      foreign.addEventListener('load', resolve)
    })
    let evaluated: boolean
    try {
      // oxlint-disable-next-line no-eval -- that it is not possible is what is tested
      evaluated = Boolean(globalThis.eval('1 + 1'))
    } catch {
      evaluated = false
    }
    return { inline: 'inlineRan' in globalThis, foreign: 'foreignRan' in globalThis, evaluated }
  })
  expect(ran).toEqual({ inline: false, foreign: false, evaluated: false })
})

test('the page stays where it is and opens no other', async ({ start }) => {
  const alfred = await start()
  const { page } = alfred
  await expect(alfred.part('main-window')).toBeVisible()
  const address = page.url()
  const opened = await page.evaluate(() => {
    location.assign('https://example.invalid/')
    const frame = document.createElement('iframe')
    frame.src = 'https://example.invalid/'
    document.body.append(frame)
    return window.open('file:///etc/passwd') === null
  })
  expect(opened).toBe(true)
  // Playwright waits for the navigation that never comes, so the window is asked from outside
  const shown = await alfred.inMain(({ BrowserWindow }) =>
    Promise.all(
      BrowserWindow.getAllWindows().map(async (window) => ({
        address: window.webContents.getURL(),
        isOurs: await window.webContents.executeJavaScript(
          "document.querySelector('[data-test=main-window]') !== null",
        ),
      })),
    ),
  )
  expect(shown).toEqual([{ address, isOurs: true }])
})

test('the page reads no file and no address but its own', async ({ start }) => {
  const { page } = await start()
  const read = await page.evaluate(async () => {
    const tried = [
      'file:///etc/passwd',
      'app://alfred/../../package.json',
      'app://alfred/%2e%2e/%2e%2e/package.json',
      'app://other/index.html',
      'https://example.invalid/',
    ]
    return Promise.all(
      tried.map((address) =>
        fetch(address).then(
          (answer) => (answer.ok ? `read ${address}` : 'refused'),
          () => 'refused',
        ),
      ),
    )
  })
  expect(new Set(read)).toEqual(new Set(['refused']))
})

test('the policy comes with the page, and lets nothing in from elsewhere', async ({ start }) => {
  const { page } = await start()
  const policy = await page.evaluate(async () =>
    (await fetch(location.href)).headers.get('content-security-policy'),
  )
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
})
