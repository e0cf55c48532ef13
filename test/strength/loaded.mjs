// Loaded with --import: tells every module that is loaded, by its URL, on standard error.
import { writeSync } from 'node:fs'
import Module, { register } from 'node:module'

const hooks = `
import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(2, 'LOADED ' + url + '\\n')
  return next(url, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)

const load = Module._load
Module._load = function (request, ...rest) {
  writeSync(2, `LOADED ${request}\n`)
  return load.call(this, request, ...rest)
}
