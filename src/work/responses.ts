import { dataOf } from '../clients/results.js'
import { UNKNOWN, constant, foreign, type ForeignData, type Value } from '../typescript/index.js'
import type { Recorder } from './recorder.js'

/** The answer to a raw request to the project's REST address. */
export type ResponseData = ForeignData & { readonly type: 'response'; readonly statement: number }

export function responseProperty(data: ResponseData, name: string | null, recorder: Recorder): Value {
  const wins = recorder.statements.get(data.statement)?.kind === 'insert'
  const error = foreign({ type: 'error', statement: data.statement, wins } as ForeignData)
  if (name === 'ok') return { kind: 'test', op: 'not', left: error, right: constant(undefined) }
  if (name === 'status') return foreign({ type: 'error-code', statement: data.statement, wins: true } as ForeignData)
  return UNKNOWN
}

export function responseMethod(data: ResponseData, name: string, recorder: Recorder): Value {
  const statement = recorder.statements.get(data.statement)
  return name === 'json' && statement ? dataOf(statement.id, statement.result, statement.answer) : UNKNOWN
}
