import type { PlInto } from '../sql/index.js'
import { castValue } from './operators.js'
import type { Frame, Relation, RelationRow } from './machine.js'
import type { Run } from './pl-run.js'
import { field } from './contents.js'
import { anyOf, FALSE, NULL, object, TRUE, UNKNOWN, type Value } from './value.js'

/** INTO: the first row's columns, or the row itself. */
export function store(frame: Frame, run: Run, into: PlInto | null, relation: Relation): void {
  if (!into) return
  const upTo = relation.rows.findIndex((row) => row.certain)
  const candidates = relation.rows.slice(0, upTo < 0 ? undefined : upTo + 1)
  const pick = (choose: (row: RelationRow) => Value): Value =>
    candidates.length === 0 ? NULL : anyOf(candidates.map(choose))
  const [target] = into.targets
  if (into.targets.length === 1 && (holdsRows(run, target!) || relation.columns.length > 1)) {
    assign(
      frame,
      run,
      target!,
      pick((each) => each.row),
    )
    return
  }
  for (const [index, each] of into.targets.entries()) {
    const column = relation.columns[index]
    assign(
      frame,
      run,
      each,
      column === undefined ? (candidates.length === 0 ? NULL : UNKNOWN) : pick((row) => field(row.row, column)),
    )
  }
}

const SCALAR =
  /^(?:pg_catalog\.)?(?:text|uuid|int|integer|int\d|bigint|smallint|numeric|decimal|real|double|bool|char|varchar|name|citext|json|date|time|interval|bytea|oid|inet)/

/** Is the variable a record or row? Where its type is not known, that it is a row is the better guess only without columns' types. */
export function holdsRows(run: Run, name: string): boolean {
  const type = run.types.get(name)
  return (
    type !== undefined &&
    (type === 'record' ||
      type.endsWith('%rowtype') ||
      (type !== '' && !SCALAR.test(type) && !/%type$|\[\]$/.test(type)))
  )
}

export function setFound(frame: Frame, relation: Relation): void {
  const certain = relation.rows.some((row) => row.certain && row.sources.length === 0)
  frame.variables.set('found', certain ? TRUE : relation.rows.length === 0 ? FALSE : UNKNOWN)
}

export function castTo(frame: Frame, value: Value, type: string): Value {
  return type === ''
    ? value
    : castValue(
        frame,
        value,
        type
          .replace(/\s+not\s+null.*$/, '')
          .replace(/\(.*\)/, '')
          .trim(),
      )
}

export function assign(frame: Frame, run: Run, target: string, value: Value): void {
  const [name = '', ...path] = target.replaceAll('"', '').split('.')
  if (path.length > 0) {
    frame.variables.set(name, withField(frame.variables.get(name) ?? NULL, path, value))
    return
  }
  const index = /^([^[]+)\[/.exec(name)
  if (index) frame.variables.set(index[1]!, UNKNOWN)
  else frame.variables.set(name, castTo(frame, value, run.types.get(name) ?? ''))
}

function withField(base: Value, [name = '', ...rest]: readonly string[], value: Value): Value {
  const next = rest.length > 0 ? withField(field(base, name), rest, value) : value
  if (base.kind === 'object') return object(new Map([...base.fields, [name, next]]), base.open, base.source)
  return object(new Map([[name, next]]), true)
}
