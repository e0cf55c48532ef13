import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser'

/** The names of a configuration file. In package.json it stands under the key of PACKAGE_KEY. */
export const CONFIG_FILES = ['tick-audit.json', 'tick-audit.jsonc']
export const PACKAGE_KEY = 'tick-audit'

/**
 * The configuration files of the nearest folder that has one, from `folder` upwards to the root of its git repository (or of the disk).
 * More than one: the user has to choose.
 */
export function findConfig(folder: string): readonly string[] {
  for (let at = folder; ; at = dirname(at)) {
    const found = CONFIG_FILES.map((name) => join(at, name)).filter((path) => existsSync(path))
    const manifest = join(at, 'package.json')
    if (existsSync(manifest) && hasOwnKey(manifest)) found.push(manifest)
    if (found.length > 0 || existsSync(join(at, '.git')) || dirname(at) === at) return found
  }
}

/** A package.json that cannot be read is somebody else's business. */
function hasOwnKey(manifest: string): boolean {
  try {
    const text = readFileSync(manifest, 'utf8')
    return text.includes(PACKAGE_KEY) && ownKey(parseTree(text)) !== undefined
  } catch {
    return false
  }
}

/** The value of `tick-audit` in a package.json. */
export function ownKey(root: Node | undefined): Node | undefined {
  return root && findNodeAtLocation(root, [PACKAGE_KEY])
}
