import type { Location, Routine, RoutineParameter } from '../model/index.js'
import {
  as,
  locateAll,
  qualifiedName,
  routineBody,
  typeText,
  type Node,
  type NodeOf,
  type Parsed,
  type RoutineBody,
  type SqlText,
} from '../sql/index.js'

/** A routine together with what is needed to run it. */
export interface RoutineEntry {
  readonly routine: Routine
  readonly source: SqlText
  readonly tree: NodeOf<'CreateFunctionStmt'>
  /** Parameters that a caller passes, in order. */
  readonly inputs: readonly RoutineInput[]
  readonly returnsRows: boolean
  readonly returnsVoid: boolean
}

export interface RoutineInput {
  readonly name: string | null
  readonly type: string
  readonly fallback: Node | null
  readonly variadic: boolean
}

const MODES: Readonly<Record<string, RoutineParameter['mode']>> = {
  FUNC_PARAM_OUT: 'out',
  FUNC_PARAM_INOUT: 'inout',
  FUNC_PARAM_VARIADIC: 'variadic',
  FUNC_PARAM_TABLE: 'table',
}

/** Reads a CREATE FUNCTION or CREATE PROCEDURE; null where it is none. */
export function routineOf(source: SqlText, tree: Node): RoutineEntry | null {
  const create = as(tree, 'CreateFunctionStmt')
  if (!create) return null
  const { schema, name } = qualifiedName(create.funcname)
  const given = (create.parameters ?? []).flatMap((node) => as(node, 'FunctionParameter') ?? [])
  const parameters = given.map((each): RoutineParameter => ({
    name: each.name ?? null,
    type: typeText(each.argType),
    mode: MODES[each.mode ?? ''] ?? 'in',
    hasDefault: each.defexpr !== undefined,
  }))
  const inputs = given.flatMap((each, index): RoutineInput[] => {
    const parameter = parameters[index]!
    if (parameter.mode === 'out' || parameter.mode === 'table') return []
    const { name: inputName, type } = parameter
    return [{ name: inputName, type, fallback: each.defexpr ?? null, variadic: parameter.mode === 'variadic' }]
  })
  const option = (wanted: string): string | null => {
    const found = (create.options ?? [])
      .flatMap((node) => as(node, 'DefElem') ?? [])
      .find((each) => each.defname === wanted)
    return as(found?.arg, 'String')?.sval ?? null
  }
  const location: Location = locateAll(source)
  const volatility = option('volatility')
  return {
    source,
    tree: create,
    inputs,
    returnsRows: create.returnType?.setof === true || parameters.some((each) => each.mode === 'table'),
    returnsVoid: typeText(create.returnType) === 'void',
    routine: {
      schema: schema ?? 'public',
      name,
      parameters,
      language: option('language')?.toLowerCase() ?? 'sql',
      volatility: volatility === 'stable' || volatility === 'immutable' ? volatility : 'volatile',
      text: source.text,
      location,
    },
  }
}

const bodies = new WeakMap<RoutineEntry, RoutineBody>()

/** The parsed body, made once. */
export function bodyOf(entry: RoutineEntry): RoutineBody {
  const known = bodies.get(entry)
  if (known) return known
  const body = routineBody(entry.tree, entry.source)
  bodies.set(entry, body)
  return body
}

/** Parses a statement, and counts it. */
export type Parse = (statement: SqlText) => Parsed

/** Applies one CREATE or DROP to the routines of a name; the last definition of a signature counts. */
export function applyRoutine(list: readonly RoutineEntry[], statement: SqlText, parse: Parse): readonly RoutineEntry[] {
  const parsed = parse(statement)
  if (!parsed.ok) return list
  const created = routineOf(statement, parsed.tree)
  if (created) return [...list.filter((each) => signature(each) !== signature(created)), created]
  const drop = as(parsed.tree, 'DropStmt')
  if (!drop) return list
  const gone = (drop.objects ?? []).flatMap((node) => as(node, 'ObjectWithArgs') ?? [])
  return list.filter(
    (entry) =>
      !gone.some((each) => {
        const { schema, name } = qualifiedName(each.objname)
        if (name !== entry.routine.name || (schema ?? 'public') !== entry.routine.schema) return false
        if (each.args_unspecified) return true
        const types = (each.objargs ?? []).map((node) => typeText(as(node, 'TypeName')))
        return types.join(',') === entry.inputs.map((input) => input.type).join(',')
      }),
  )
}

function signature(entry: RoutineEntry): string {
  return `${entry.routine.schema}(${entry.inputs.map((input) => input.type).join(',')})`
}

/** The names of the parameters that return something (OUT, INOUT, TABLE columns). */
export function outputNames(entry: RoutineEntry): string[] {
  return entry.routine.parameters.flatMap((each) =>
    each.name !== null && ['out', 'inout', 'table'].includes(each.mode) ? [each.name] : [],
  )
}
