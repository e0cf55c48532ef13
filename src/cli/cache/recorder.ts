import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../package.js'
import { answerOf, stampOf, type Asked, type Input } from './inputs.js'

/** Everything that a run asks of the file system, and the documents that it writes. */
export interface Recording {
  /** Ends the recording. Null: the run did something that a later one could not repeat from its record. */
  stop(): { inputs: readonly Input[]; documents: readonly (readonly [string, string])[] } | null
}

const home = fileURLToPath(packageFolder)

/** The tool itself is told by its identity. */
const isOwn = (path: string): boolean =>
  ['dist', 'node_modules', 'package.json'].some((part) => path === home + part || path.startsWith(home + part + sep))

/**
 * Listens to Node's own functions rather than to the rooms that call them: what is not written down would make a stale
 * answer, and a reader that is added later cannot be forgotten here.
 */
export function record(): Recording {
  const originals = { ...fs }
  const inputs = new Map<string, Input>()
  const documents: [string, string][] = []
  let repeatable = true

  function ask(path: unknown, asked: Asked): void {
    const name = path instanceof URL ? fileURLToPath(path) : path
    if (typeof name !== 'string') {
      repeatable = false // standard input, a descriptor
      return
    }
    const whole = resolve(name)
    const key = `${asked} ${whole}`
    if (isOwn(whole) || inputs.has(key)) return
    inputs.set(key, [whole, asked, stampOf(whole), answerOf(whole, asked)])
  }

  const listened = {
    readFileSync: asking('readFileSync', 'content'),
    readdirSync: asking('readdirSync', 'names'),
    statSync: asking('statSync', 'kind'),
    lstatSync: asking('lstatSync', 'kind'),
    existsSync: asking('existsSync', 'kind'),
    realpathSync: asking('realpathSync', 'kind'),
    writeFileSync: (file: unknown, data: unknown, ...rest: unknown[]) => {
      if (typeof file === 'string' && typeof data === 'string') documents.push([resolve(file), data])
      else repeatable = false
      return (originals.writeFileSync as (...args: unknown[]) => void)(file, data, ...rest)
    },
    appendFileSync: (...args: unknown[]) => {
      repeatable = false
      return (originals.appendFileSync as (...args: unknown[]) => void)(...args)
    },
  }

  function asking(
    name: 'readFileSync' | 'readdirSync' | 'statSync' | 'lstatSync' | 'existsSync' | 'realpathSync',
    asked: Asked,
  ) {
    const original = originals[name] as (...args: unknown[]) => unknown
    const listening = (path: unknown, ...rest: unknown[]): unknown => {
      // Asked before it is answered: what changes in between has another answer the next time.
      ask(path, asked)
      return original(path, ...rest)
    }
    return Object.assign(listening, originals[name])
  }

  function install(functions: object): void {
    Object.assign(fs, functions)
    syncBuiltinESMExports()
  }

  install(listened)

  return {
    stop() {
      const functions = Object.fromEntries(Object.keys(listened).map((name) => [name, originals[name as 'statSync']]))
      install(functions)
      return repeatable ? { inputs: told(inputs), documents } : null
    },
  }
}

/**
 * Without what a folder's names say already: that a path in it is not there, or is a file or a folder and no link. Most of
 * what is asked is of that kind.
 */
function told(inputs: ReadonlyMap<string, Input>): Input[] {
  return [...inputs.values()].filter(([path, asked, , answer]) => {
    if (asked !== 'kind' || !inputs.has(`names ${dirname(path)}`)) return true
    return answer !== 'no: ENOENT' && answer !== `file ${path}` && answer !== `folder ${path}`
  })
}
