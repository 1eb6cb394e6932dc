/** Anything that Markdown might take for more than letters, wherever it stands. */
const marks = /[\\`*_[\]<>&|~@]|:\/\/|www\.|[^\P{Cc}\n]/iu
/** What begins a list, a heading or a quote, or is indented, or a hard break, at the edge of a line. */
const lineMarks = /^[ \t#+=:-]|^\d+[.)]|[ \t]$/m

/**
 * The paragraphs of a text that means the same with and without Markdown, which most of what agents say between
 * their calls does; null when it may not. Far quicker than parsing it.
 */
export function plainParagraphs(text: string): readonly string[] | null {
  if (marks.test(text) || lineMarks.test(text)) return null
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    const lines = paragraph.replace(/^\n|\n$/g, '')
    return lines === '' ? [] : [lines]
  })
}
