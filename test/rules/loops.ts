import type {
  AttemptFlaw,
  Change,
  ClaimAttempt,
  EffectSite,
  Location,
  Mark,
  Operand,
  Predicate,
  RowSource,
  WorkLoop,
} from '../../src/model/index.js'

/** Hand-made loops: what the analysis of a function would hand to the rules. */

export const at = (startLine: number, file = 'supabase/functions/drain/index.ts'): Location => ({
  file,
  startLine,
  startColumn: 5,
  endLine: startLine,
  endColumn: 40,
})

export const lit = (value: string | number | boolean | null): Operand => ({ kind: 'literal', value })
export const now = (offset = 0): Operand => ({ kind: 'now', offset })
export const opaque: Operand = { kind: 'opaque', id: 'text', nonNull: false }
export const read = (column: string): Operand => ({ kind: 'read', column, delta: 0 })
export const eq = (column: string, value: string | number | boolean): Predicate => ({
  kind: 'compare',
  column,
  op: '=',
  operand: lit(value),
})
export const neq = (column: string, value: string | boolean): Predicate => ({
  kind: 'compare',
  column,
  op: '<>',
  operand: lit(value),
})
export const among = (column: string, ...values: string[]): Predicate => ({
  kind: 'in',
  column,
  operands: values.map(lit),
})
export const isNull = (column: string): Predicate => ({ kind: 'null', column })
export const due = (column: string): Predicate => ({ kind: 'compare', column, op: '<=', operand: now() })
export const and = (...terms: Predicate[]): Predicate => ({ kind: 'and', terms })
export const or = (...terms: Predicate[]): Predicate => ({ kind: 'or', terms })
export const not = (term: Predicate): Predicate => ({ kind: 'not', term })
export const set = (values: Record<string, Operand>): Change => ({
  kind: 'set',
  assignments: Object.entries(values).map(([column, operand]) => ({ column, operand })),
})

export const mail: EffectSite = {
  match: {
    title: 'Resend e-mail',
    provider: 'Resend',
    kind: 'message',
    latency: 'email',
    unknownHost: false,
    idempotency: { headers: ['Idempotency-Key'], bodyFields: [], options: ['idempotencyKey'] },
  },
  location: at(31),
  inner: at(12),
  latency: { typicalSeconds: 0.5, worstSeconds: 10 },
  ownedBy: null,
}

export const model: EffectSite = {
  match: {
    title: 'OpenAI chat completion',
    provider: 'OpenAI',
    kind: 'spend',
    latency: 'chat-model',
    unknownHost: false,
    idempotency: null,
  },
  location: at(30),
  inner: at(30),
  latency: { typicalSeconds: 8, worstSeconds: 60 },
  ownedBy: null,
}

export const charge: EffectSite = {
  ...model,
  match: { ...model.match, title: 'Stripe payment', provider: 'Stripe', kind: 'money', latency: 'payment' },
}

export function source(parts: Partial<RowSource> = {}): RowSource {
  return {
    kind: 'select',
    table: 'public.jobs',
    where: eq('status', 'pending'),
    limit: 50,
    location: at(20),
    timeBound: false,
    columns: ['status'],
    key: 'id',
    rowName: 'job',
    clientName: 'supabase',
    reason: null,
    ...parts,
  }
}

export function attempt(flaw: AttemptFlaw, parts: Partial<ClaimAttempt> = {}): ClaimAttempt {
  return { flaw, location: at(28), table: 'public.jobs', where: null, change: null, reason: null, ...parts }
}

export function mark(change: Change | null, parts: Partial<Mark> = {}): Mark {
  return { location: at(40), table: 'public.jobs', kind: 'update', change, leavesPick: 'yes', ...parts }
}

export function loop(parts: Partial<WorkLoop> = {}): WorkLoop {
  return {
    function: 'drain',
    location: at(25),
    source: source(),
    effects: [model],
    attempts: [],
    marks: [mark(set({ status: lit('done') }))],
    concurrency: 1,
    claims: [],
    fanout: null,
    trace: [],
    ...parts,
  }
}
