/** An element of an XML document. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

const NAME = /[A-Za-z_][\w.-]*/y
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Characters that XML 1.0 does not allow (section 2.2). */
const NOT_XML =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Reads the part of XML 1.0 that a report needs, and throws for anything that is not well-formed (or is more than that). */
export function parseXml(source: string): Element {
  const bad = NOT_XML.exec(source)
  if (bad) throw new Error(`a character that XML does not allow at ${bad.index}`)
  let at = 0
  const fail = (what: string): never => {
    throw new Error(`${what} expected at ${at}: ${source.slice(at, at + 40)}`)
  }
  const expect = (text: string): void => {
    if (!source.startsWith(text, at)) fail(text)
    at += text.length
  }
  const skip = (): void => {
    while (/\s/.test(source[at] ?? '')) at++
  }
  const name = (): string => {
    NAME.lastIndex = at
    const found = NAME.exec(source)?.[0] ?? fail('a name')
    at += found.length
    return found
  }
  const decoded = (text: string): string => {
    if (text.includes('<')) fail('no "<"')
    return text.replace(/&([^;\s]*);?/g, (whole, entity: string) => {
      const character = whole.endsWith(';') ? ENTITIES[entity] : undefined
      return character ?? fail('an entity')
    })
  }
  const element = (): Element => {
    expect('<')
    const tag = name()
    const attributes: Record<string, string> = {}
    for (skip(); source[at] !== '>' && source[at] !== '/'; skip()) {
      const key = name()
      if (key in attributes) fail('one attribute of a name')
      expect('="')
      const end = source.indexOf('"', at)
      attributes[key] = decoded(source.slice(at, end))
      at = end + 1
    }
    if (source[at] === '/') {
      expect('/>')
      return { name: tag, attributes, children: [], text: '' }
    }
    expect('>')
    const children: Element[] = []
    let text = ''
    for (;;) {
      const next = source.indexOf('<', at)
      if (next < 0) fail(`</${tag}>`)
      const piece = source.slice(at, next)
      if (piece.includes(']]>')) fail('no "]]>"')
      text += decoded(piece)
      at = next
      if (source.startsWith('</', at)) break
      children.push(element())
    }
    expect(`</${tag}>`)
    return { name: tag, attributes, children, text }
  }
  expect('<?xml version="1.0" encoding="UTF-8"?>')
  skip()
  const root = element()
  skip()
  if (at < source.length) fail('the end')
  return root
}
