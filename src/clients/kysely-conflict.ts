import { foreign, type Foreign, type ForeignData, type Machine, type Value } from '../typescript/index.js'
import { textOrNull } from './names.js'

/** `onConflict((oc) => oc.column('kind').doNothing())`. */
export interface Conflict extends ForeignData {
  readonly type: 'orm:conflict'
  readonly columns: readonly string[]
  readonly action: 'nothing' | 'update' | null
  /** `where` after `doUpdateSet`. */
  readonly conditional: boolean
}

export const isConflict = (value: Value): value is Foreign & { data: Conflict } =>
  value.kind === 'foreign' && value.data.type === 'orm:conflict'

export function conflictMethod(value: Conflict, name: string, args: readonly Value[], machine: Machine): Value {
  const given = args.flatMap((arg) => machine.items(arg)?.items ?? [arg]).flatMap((arg) => textOrNull(arg) ?? [])
  const next = (part: Partial<Conflict>): Value => foreign({ ...value, ...part } as Conflict)
  if (name === 'column' || name === 'columns') return next({ columns: [...value.columns, ...given] })
  if (name === 'doNothing') return next({ action: 'nothing' })
  if (name === 'doUpdateSet') return next({ action: 'update' })
  return next({ conditional: value.conditional || (name.startsWith('where') && value.action === 'update') })
}

export const conflictStart = (): Foreign =>
  foreign({ type: 'orm:conflict', columns: [], action: null, conditional: false } as Conflict)
