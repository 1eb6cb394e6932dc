/*
 * The emulator writes `<style>` elements and `style` attributes, which the page's policy forbids, and rightly so: they
 * are a way in. What the policy allows is the same through objects, so this document gives out elements that go that
 * way: the policy stays as it is.
 */

/** The page's document, for the emulator. `end` takes its sheets away. */
export function styledDocument(page: Document): { readonly document: Document; readonly end: () => void } {
  const sheets = new Set<CSSStyleSheet>()
  const create = (name: string): HTMLElement => {
    // an empty <style> counts as an inline one as well
    const element = page.createElement(name === 'style' ? 'template' : name)
    if (name === 'style') styleThroughSheet(page, element, sheets)
    else styleThroughObject(element)
    return element
  }
  const document = new Proxy(page, {
    get(target, name) {
      if (name === 'createElement') return create
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const end = (): void => {
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet))
  }
  return { document, end }
}

function styleThroughSheet(page: Document, element: HTMLElement, sheets: Set<CSSStyleSheet>): void {
  const sheet = new CSSStyleSheet()
  sheets.add(sheet)
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet]
  let text = ''
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (value: string) => {
      text = value
      sheet.replaceSync(value)
    },
  })
}

function styleThroughObject(element: HTMLElement): void {
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value
    else Element.prototype.setAttribute.call(element, name, value)
  }
}
