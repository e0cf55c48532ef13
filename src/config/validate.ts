import type { Node } from 'jsonc-parser'
import type { EffectKind, LatencyClass } from '../model/index.js'
import {
  anyText,
  listOf,
  object,
  oneOf,
  orElse,
  positive,
  text,
  wholeNumber,
  yesOrNo,
  type Check,
  type Problem,
} from './checks.js'
import type { Config, EffectPattern, FailOn, RuleLevel } from './config.js'

const CLASSES = Object.keys({
  'chat-model': 0,
  embedding: 0,
  'media-model': 0,
  email: 0,
  'text-message': 0,
  push: 0,
  payment: 0,
  'other-write': 0,
  'edge-function': 0,
} satisfies Record<LatencyClass, 0>)

const KINDS: readonly EffectKind[] = ['money', 'message', 'spend', 'state']
const LEVELS: readonly RuleLevel[] = ['off', 'info', 'warning', 'error']
const FAIL_ON: readonly FailOn[] = ['none', 'info', 'warning', 'error']

const CALL = { call: text, host: text, package: text }
const NAMED = ['call', 'host', 'package']

const LATENCY = object({ typicalSeconds: positive, worstSeconds: positive })

const EFFECT = {
  ...CALL,
  class: oneOf(CLASSES),
  kind: oneOf(KINDS),
  title: text,
  idempotencyHeader: text,
} satisfies Record<keyof EffectPattern, Check>

/** All that is wrong with a configuration; nothing: it is a `Config`. It says what src/schema/config.json says, and knows the rules. */
export function validate(node: Node, ruleIds: readonly string[]): readonly Problem[] {
  const fields = {
    rules: object(same(ruleIds, oneOf(LEVELS)), { what: 'rule' }),
    effects: listOf(object(EFFECT, { required: [['class'], NAMED] })),
    notEffects: listOf(object(CALL, { required: [NAMED] })),
    assumedRows: wholeNumber,
    latencies: object(same(CLASSES, LATENCY), { what: 'class' }),
    maxRunSeconds: orElse(positive, [null]),
    include: listOf(text),
    exclude: listOf(text),
    migrationsOnly: yesOrNo,
    baseline: orElse(text, [null, false]),
    failOn: oneOf(FAIL_ON),
  } satisfies Record<keyof Config, Check>
  return object({ $schema: anyText, ...fields })(node, '')
}

const same = (names: readonly string[], check: Check): Readonly<Record<string, Check>> =>
  Object.fromEntries(names.map((name) => [name, check]))
