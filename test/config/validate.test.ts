import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { parseTree } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { validate } from '../../src/config/validate.js'
import { LATENCIES } from '../../src/effects/index.js'

const RULES = ['no-claim', 'check-then-act']

const messages = (config: unknown): readonly string[] =>
  validate(parseTree(JSON.stringify(config))!, RULES).map((problem) => problem.message)

describe('a configuration', () => {
  it('may say all that there is to say', () => {
    const full = {
      $schema: './config.json',
      rules: { 'no-claim': 'warning', 'check-then-act': 'off' },
      effects: [
        { host: 'api.acme.example', class: 'other-write', kind: 'money', title: 'Acme', idempotencyHeader: 'x' },
      ],
      notEffects: [{ call: 'logger.send' }, { package: '@acme/log' }],
      assumedRows: 50,
      latencies: { 'chat-model': { typicalSeconds: 3 }, email: {} },
      maxRunSeconds: null,
      include: ['supabase/functions/**'],
      exclude: [],
      migrationsOnly: true,
      baseline: false,
      failOn: 'none',
    }
    expect(messages(full)).toEqual([])
    expect(messages({})).toEqual([])
  })

  it.each([
    [{ rulse: {} }, 'unknown key "rulse". Did you mean "rules"?'],
    [{ colour: 1 }, 'unknown key "colour". It can be rules, effects'],
    [{ rules: { 'no-clami': 'off' } }, 'unknown rule "no-clami" in rules. Did you mean "no-claim"?'],
    [{ rules: { 'no-claim': 'warn' } }, 'rules.no-claim is "warn". It can be off, info, warning, error.'],
    [{ rules: { 'no-claim': 'of' } }, 'Did you mean "off"?'],
    [{ rules: [] }, 'rules is a list, but has to be an object.'],
    [{ effects: [{ host: 'a.example' }] }, 'effects[0] has no class.'],
    [{ effects: [{ class: 'email' }] }, 'effects[0] has no call, host or package.'],
    [{ effects: [{ host: 'a', class: 'e-mail' }] }, 'effects[0].class is "e-mail". Did you mean "email"?'],
    [{ notEffects: [{ hots: 'a' }] }, 'unknown key "hots" in notEffects[0]. Did you mean "host"?'],
    [{ notEffects: [{ host: '' }] }, 'notEffects[0].host is "", but has to be a text that is not empty.'],
    [{ assumedRows: 0 }, 'assumedRows is 0, but has to be a whole number of 1 or more.'],
    [{ assumedRows: '5' }, 'assumedRows is "5"'],
    [{ latencies: { chat: {} } }, 'unknown class "chat" in latencies.'],
    [
      { latencies: { email: { typicalSeconds: -1 } } },
      'latencies.email.typicalSeconds is -1, but has to be a number above 0',
    ],
    [{ maxRunSeconds: 0 }, 'maxRunSeconds is 0'],
    [{ include: 'a' }, 'include is "a", but has to be a list.'],
    [{ migrationsOnly: 'yes' }, 'migrationsOnly is "yes", but has to be true or false.'],
    [{ baseline: true }, 'baseline is true'],
    [{ failOn: 'errors' }, 'failOn is "errors". Did you mean "error"?'],
    [[], 'the configuration is a list, but has to be an object.'],
  ])('%j is refused with a reason', (config, message) => {
    expect(messages(config).join('\n')).toContain(message)
  })

  it('gets every mistake told, each where it stands', () => {
    const text = '{"rulse": {}, "failOn": "no"}'
    const problems = validate(parseTree(text)!, RULES)
    expect(problems.map(({ offset }) => offset)).toEqual([text.indexOf('"rulse"'), text.indexOf('"no"')])
  })

  it('has no key twice, and none of the prototype', () => {
    const twice = validate(parseTree('{"failOn": "error", "failOn": "none"}')!, RULES)
    expect(twice.map(({ message }) => message)).toEqual(['the key "failOn" stands here twice.'])
    const proto = validate(parseTree('{"__proto__": 1, "rules": {"constructor": "off"}}')!, RULES)
    expect(proto).toHaveLength(2)
  })
})

describe('validator and schema', () => {
  const schema = JSON.parse(readFileSync(new URL('../../src/schema/config.json', import.meta.url), 'utf8')) as object
  const accepts = new Ajv2020.default({ allowUnionTypes: true }).compile(schema)

  const scalar = fc.oneof(
    fc.constantFrom(null, true, false, '', 'a', 'error', 'off', 'none', 'email', 'money'),
    fc.constantFrom(0, 1, -1, 0.5, 100),
  )
  const any = fc.oneof(scalar, fc.constant([]), fc.constant({}), fc.array(scalar, { maxLength: 2 }))
  const orAny = <T>(right: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: any })
  const record = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] })
  const word = orAny(fc.constantFrom('a', 'b.example'))
  const call = { call: word, host: word, package: word }
  const effect = {
    ...call,
    class: orAny(fc.constantFrom(...Object.keys(LATENCIES))),
    kind: orAny(fc.constantFrom('money', 'message', 'spend', 'state')),
    title: word,
    idempotencyHeader: word,
    more: any,
  }
  const seconds = orAny(fc.constantFrom(0.5, 30))
  const latency = orAny(record({ typicalSeconds: seconds, worstSeconds: seconds }))
  const level = orAny(fc.constantFrom('off', 'info', 'warning', 'error'))
  const config = record({
    $schema: orAny(fc.constant('')),
    rules: orAny(record({ 'no-claim': level, 'check-then-act': level })),
    effects: orAny(fc.array(orAny(record(effect)), { maxLength: 2 })),
    notEffects: orAny(fc.array(orAny(record({ ...call, class: any })), { maxLength: 2 })),
    assumedRows: orAny(fc.constant(10)),
    latencies: orAny(record({ email: latency, 'edge-function': latency, mail: latency })),
    maxRunSeconds: orAny(fc.constant(150)),
    include: orAny(fc.array(word, { maxLength: 2 })),
    exclude: orAny(fc.array(word, { maxLength: 2 })),
    migrationsOnly: orAny(fc.boolean()),
    baseline: orAny(fc.constant('b.json')),
    failOn: orAny(fc.constantFrom('none', 'info', 'warning', 'error')),
  })

  it('agree on what is one', () => {
    fc.assert(
      fc.property(orAny(config), (value) => {
        const ours = messages(value)
        expect(ours.length === 0, `${JSON.stringify(value)}: ${ours.join(' ')}`).toBe(accepts(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('know the same keys and classes', () => {
    const { properties, $defs } = schema as {
      properties: Record<string, unknown>
      $defs: { latencyClass: { enum: string[] } }
    }
    for (const key of Object.keys(properties)) expect(messages({ [key]: 0 }).join()).not.toContain('unknown key')
    expect($defs.latencyClass.enum).toEqual(Object.keys(LATENCIES))
  })
})
