import type { ts } from '../typescript/ts.js'
import type { Location } from '../model/index.js'
import { locationOf, type LoopFrame, type Site } from '../typescript/index.js'

/** The code that a loop (or the handling of one row) stands in: everything in it is "the loop's own body". */
export interface Body {
  readonly node: ts.Node
  readonly file: string
  /** How many calls deep it stands. */
  readonly depth: number
}

export const bodyOfLoop = (frame: LoopFrame): Body => ({ node: frame.node, file: frame.file, depth: frame.depth })

/** Where there is no loop: the innermost function that both sites are in. */
export function sharedBody(a: Site, b: Site): Body {
  let depth = 0
  while (
    depth < a.calls.length &&
    depth < b.calls.length &&
    a.calls[depth]!.node === b.calls[depth]!.node &&
    a.calls[depth]!.target === b.calls[depth]!.target
  )
    depth += 1
  // Rows of the request's body were there before the handler ran: its own function is their body.
  const around = depth > 0 ? a.calls[depth - 1] : b.calls[0]
  if (around) return { node: around.target, file: around.targetFile, depth: Math.max(depth, 1) }
  return { node: b.node.getSourceFile(), file: b.file, depth }
}

/** The node of a site as it stands in a body: itself, or the call in the body that leads to it. */
export function nodeIn(body: Body, site: Site): { node: ts.Node; file: string } {
  const within = (node: ts.Node, file: string): boolean =>
    file === body.file && node.pos >= body.node.pos && node.end <= body.node.end
  let index = body.depth
  // Callbacks that stand in the body itself are part of it.
  while (index < site.calls.length && within(site.calls[index]!.target, site.calls[index]!.targetFile)) index += 1
  if (index >= site.calls.length) return { node: site.node, file: site.file }
  return { node: site.calls[index]!.node, file: site.calls[index]!.file }
}

export function placeIn(body: Body, site: Site): Location {
  const { node, file } = nodeIn(body, site)
  return locationOf(node, file)
}

/** A statement's own place, where it stands in the loop's file; else the call in the loop's body that leads to it. */
export const placeInFile = (body: Body, site: Site): Location =>
  site.file === body.file ? locationOf(site.node, site.file) : placeIn(body, site)
