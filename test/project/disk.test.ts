import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../src/model/index.js'
import { openDisk, type Overlay } from '../../src/project/disk.js'
import { filesWithWord } from '../../src/project/files-with-word.js'
import { folderOf } from './folder.js'

function open(root: string, overlay?: Overlay) {
  const found: Diagnostic[] = []
  return { disk: openDisk(root, [], (diagnostic) => found.push(diagnostic), overlay), found }
}

describe('what a path is', () => {
  it('is told from the root down', () => {
    const { disk } = open(folderOf({ 'a/b/c.sql': 'x', 'a/d.ts': 'y' }))
    const kinds = ['', 'a', 'a/b', 'a/b/c.sql', 'a/d.ts'].map((path) => disk.kind(path))
    expect(kinds).toEqual(['folder', 'folder', 'folder', 'file', 'file'])
    const missing = ['z', 'a/z', 'a/b/z.sql', 'a/z/c.sql', 'a/d.ts/c', '../a', '/a', 'a/../../a']
    expect(missing.map((path) => disk.kind(path))).toEqual(missing.map(() => null))
  })

  it('however the path is written, as long as it stays inside', () => {
    const { disk } = open(folderOf({ 'a/b.sql': 'x' }))
    expect(['a//b.sql', './a/b.sql', 'a/./b.sql'].map((path) => disk.kind(path))).toEqual(['file', 'file', 'file'])
  })

  it('is that of what a link leads to, inside', () => {
    const root = folderOf({ 'a/b.sql': 'x', 'c/d.sql': 'y' })
    symlinkSync('../a', join(root, 'c/link'))
    symlinkSync('nowhere', join(root, 'c/broken'))
    symlinkSync(folderOf({ 'e.sql': 'z' }), join(root, 'c/outside'))
    const { disk } = open(root)
    const paths = ['c/link', 'c/link/b.sql', 'c/link/z.sql', 'c/broken', 'c/outside', 'c/outside/e.sql']
    expect(paths.map((path) => disk.kind(path))).toEqual(['folder', 'file', null, null, null, null])
  })

  it('says nothing of folders that nobody lists', () => {
    const root = folderOf({ 'a/b.sql': 'x' })
    symlinkSync('nowhere', join(root, 'broken'))
    const { disk, found } = open(root)
    expect(disk.kind('a/b.sql')).toBe('file')
    expect(found).toEqual([])
    disk.list('')
    disk.list('')
    expect(found).toMatchObject([{ code: 'link-not-followed', location: { file: 'broken' } }])
  })

  it.skipIf(process.getuid?.() === 0)('is asked for where a folder can be entered and not listed', () => {
    const root = folderOf({ 'a/b.sql': 'x' })
    chmodSync(join(root, 'a'), 0o311)
    const { disk, found } = open(root)
    expect([disk.kind('a/b.sql'), disk.kind('a/c.sql')]).toEqual(['file', null])
    expect(found).toEqual([])
    expect(disk.list('a')).toEqual([])
    expect(found).toMatchObject([{ code: 'file-unreadable', location: { file: 'a' } }])
  })

  it('is a file for what is not saved yet', () => {
    const { disk } = open(folderOf({ 'a/b.sql': 'x' }), new Map([['a/new.sql', 'y']]))
    expect(disk.kind('a/new.sql')).toBe('file')
    expect(disk.list('a').map((entry) => entry.name)).toEqual(['b.sql', 'new.sql'])
  })
})

describe('files that hold a word', () => {
  const FILES = {
    's/a.sql': '-- word',
    's/b.ts': 'no',
    's/c/d.tsx': '// ẅ word',
    's/c/e.txt': 'word',
    's/node_modules/f.ts': 'word',
    's/.git/g.ts': 'word',
  }

  it('are SQL and TypeScript, in text order', () => {
    const root = folderOf(FILES)
    mkdirSync(join(root, 's/h.ts'))
    symlinkSync('a.sql', join(root, 's/link.sql'))
    expect(filesWithWord(open(root).disk, 's', 'word')).toEqual(['s/a.sql', 's/c/d.tsx'])
  })

  it('are the same whether they were read before or not', () => {
    const { disk } = open(folderOf(FILES))
    for (const path of ['s/a.sql', 's/b.ts', 's/c/d.tsx']) disk.read(path)
    expect(filesWithWord(disk, 's', 'word')).toEqual(['s/a.sql', 's/c/d.tsx'])
  })

  it('are those of the editor, where it holds another text', () => {
    const { disk } = open(
      folderOf(FILES),
      new Map([
        ['s/a.sql', 'no'],
        ['s/b.ts', 'word'],
      ]),
    )
    expect(filesWithWord(disk, 's', 'word')).toEqual(['s/b.ts', 's/c/d.tsx'])
  })
})
