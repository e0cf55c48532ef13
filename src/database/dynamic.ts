import { locateAll, type SqlText } from '../sql/index.js'
import { EMPTY, report, type Frame, type Relation } from './machine.js'
import { runnable } from './sql-text.js'
import { render, toParts } from './contents.js'
import { alternatives, type Value } from './value.js'

const TELLING = /\bcron\b|\bnet\s*\.|http_/i

/** Runs a text made at run time (EXECUTE, a job's command); what is not known of it is said where it may matter. */
export function dynamicText(frame: Frame, value: Value, at: SqlText): Relation {
  const location = locateAll(at)
  let last = EMPTY
  for (const each of alternatives(value)) {
    if (each.kind === 'null') continue
    const parts = toParts(each)
    const hasText = parts.some((part) => part.kind === 'run' && /\S/.test(part.text))
    if (!hasText) {
      report(frame.machine, {
        code: 'dynamic-sql',
        severity: 'info',
        message:
          'The text of this statement is made at run time and is not known; if it schedules jobs, they are not seen',
        location,
      })
      continue
    }
    // Only what may schedule or send is worth the parser's time, unless its rows are read.
    const quiet = !TELLING.test(render(each))
    const text = runnable(frame.machine, each, location)
    last = frame.machine.interpreter.script({ ...frame, quiet }, text)
  }
  return last
}
