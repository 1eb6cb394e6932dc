import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { describe, expect, it } from 'vitest'
import { plainParagraphs } from '../lib/plain-paragraphs'
import { Markdown } from './markdown'

const parsed = (text: string): string =>
  renderToStaticMarkup(
    <ReactMarkdown remarkPlugins={[remarkGfm]} skipHtml>
      {text}
    </ReactMarkdown>,
  ).replaceAll(/>\n</g, '><')
const shown = (text: string): string =>
  renderToStaticMarkup(<Markdown text={text} />).replaceAll(/>\n</g, '><')

/** Pieces that mean something to Markdown in one place or another, and some that never do. */
const pieces = [
  'a,Bc,.,!,?,:,;,",(,),/,1,1.,2),-,--,---,+,=,===,#,##,>,%,$,^,{,},ß,✓,*,_,`,~,|,&amp;,<b>,[x]'.split(','),
  ["'", ',', ' ', ' ', ' ', '\n', '\n', '\n\n', '\u00A0', '\t', '\\', 'www.a.bc', 'http://a.bc', 'a@b.cd'],
].flat()

/** Random, but the same each time. */
function* texts(count: number): Generator<string> {
  let state = 7
  const below = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * bound)
  }
  for (let made = 0; made < count; made += 1) {
    yield Array.from({ length: 1 + below(9) }, () => pieces[below(pieces.length)] ?? '').join('')
  }
}

describe('text that is shown without being parsed', () => {
  it('looks as if it were parsed, whatever the text', () => {
    const plain = [...texts(6_000)].filter((text) => plainParagraphs(text) !== null)
    expect(plain.length).toBeGreaterThan(600)
    const other = plain.filter((text) => shown(text) !== `<div class="markdown">${parsed(text)}</div>`)
    expect(other).toEqual([])
  })

  it('is what people write, line by line and in paragraphs', () => {
    expect(plainParagraphs('The crates are at the pier: 17 of them, 3 (three) open.')).toHaveLength(1)
    expect(plainParagraphs('Done.\nNext: the crane.\n\n\nIt is being repaired!\n')).toEqual([
      'Done.\nNext: the crane.',
      'It is being repaired!',
    ])
  })

  it.each(['- a list', '# heading', 'some `code`', '1. first', 'https://a.example', '**bold**', 'a\n---'])(
    'is not %j',
    (text) => expect(plainParagraphs(text)).toBeNull(),
  )
})
