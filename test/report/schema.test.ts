import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020.js'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { LATENCIES } from '../../src/effects/index.js'
import { emptyReport } from '../../src/report/empty.js'
import { renderJson } from '../../src/report/json.js'
import { hostile } from './hostile.js'
import { sample } from './sample.js'

type Json = Readonly<Record<string, unknown>>

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const schemaOf = (name: string): Json => JSON.parse(read(`src/schema/${name}`)) as Json
const compile = (schema: Json) => new Ajv2020.default({ allErrors: true, allowUnionTypes: true }).compile(schema)

const reportSchema = schemaOf('report.v1.json')
const definitions = reportSchema['$defs'] as Readonly<Record<string, Json>>

/** The types of the report by name, as the model declares them. */
const declarations = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>()
for (const file of ['report', 'span', 'work'])
  ts.createSourceFile(file, read(`src/model/${file}.ts`), ts.ScriptTarget.ES2022).forEachChild((node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) declarations.set(node.name.text, node)
  })

/** What the schema must say of a type, without descriptions. */
function expectedOf(node: ts.TypeNode): unknown {
  if (ts.isTypeOperatorNode(node)) return expectedOf(node.type)
  if (ts.isArrayTypeNode(node)) return { type: 'array', items: expectedOf(node.elementType) }
  if (ts.isTypeLiteralNode(node)) return objectOf(node.members)
  if (ts.isLiteralTypeNode(node)) return { enum: [literalOf(node)] }
  if (node.kind === ts.SyntaxKind.StringKeyword) return { type: 'string' }
  if (node.kind === ts.SyntaxKind.NumberKeyword) return { type: 'number' }
  if (node.kind === ts.SyntaxKind.BooleanKeyword) return { type: 'boolean' }
  if (ts.isUnionTypeNode(node)) return unionOf(node)
  if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
    const [first, second] = node.typeArguments ?? []
    if (node.typeName.text === 'Readonly' && first) return expectedOf(first)
    if (node.typeName.text === 'Record' && first && second) return recordOf(first, second)
    return { $ref: `#/$defs/${node.typeName.text}` }
  }
  throw new Error(`a type that the test does not read: ${ts.SyntaxKind[node.kind]}`)
}

function unionOf(node: ts.UnionTypeNode): unknown {
  if (node.types.every((type) => ts.isLiteralTypeNode(type)))
    return { enum: node.types.map((type) => literalOf(type as ts.LiteralTypeNode)) }
  const isNull = (type: ts.TypeNode): boolean => ts.isLiteralTypeNode(type) && literalOf(type) === null
  const [only, ...more] = node.types.filter((type) => !isNull(type))
  if (only === undefined || more.length > 0) throw new Error('a union that the test does not read')
  const expected = expectedOf(only) as { type?: string }
  return expected.type === undefined || expected.type === 'object'
    ? { anyOf: [expected, { type: 'null' }] }
    : { type: [expected.type, 'null'] }
}

function literalOf({ literal }: ts.LiteralTypeNode): string | null {
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null
  if (ts.isStringLiteral(literal)) return literal.text
  throw new Error('a literal that the test does not read')
}

function recordOf(keys: ts.TypeNode, value: ts.TypeNode): unknown {
  if (keys.kind === ts.SyntaxKind.StringKeyword) return { type: 'object', additionalProperties: expectedOf(value) }
  const name = ts.isTypeReferenceNode(keys) && ts.isIdentifier(keys.typeName) ? keys.typeName.text : ''
  const names = (definitions[name]?.['enum'] ?? []) as string[]
  const properties = Object.fromEntries(names.map((each) => [each, expectedOf(value)]))
  return { type: 'object', required: names, properties }
}

function objectOf(members: ts.NodeArray<ts.TypeElement>): Json {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const member of members) {
    if (!ts.isPropertySignature(member) || !ts.isIdentifier(member.name) || !member.type) throw new Error('a member')
    properties[member.name.text] = expectedOf(member.type)
    if (!member.questionToken) required.push(member.name.text)
  }
  return { type: 'object', required, properties }
}

function expectedDeclaration(name: string): unknown {
  const declaration = declarations.get(name)
  if (declaration === undefined) throw new Error(`the model has no ${name}`)
  if (ts.isTypeAliasDeclaration(declaration)) return expectedOf(declaration.type)
  const parents = (declaration.heritageClauses ?? []).flatMap((clause) => clause.types.map((type) => type.expression))
  const all = parents.map((parent) => ({ $ref: `#/$defs/${(parent as ts.Identifier).text}` }))
  return { ...(all.length > 0 ? { allOf: all } : {}), ...objectOf(declaration.members) }
}

/** A schema without descriptions, with numbers as the model has them. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (value === null || typeof value !== 'object') return value
  const { description: _description, ...rest } = value as Record<string, unknown>
  if (rest['$ref'] === '#/$defs/count' || rest['$ref'] === '#/$defs/position') return { type: 'number' }
  return Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, key === 'properties' ? fields(inner) : bare(inner)]),
  )
}

/** The fields of an object, of which one may be called "description". */
function fields(value: unknown): unknown {
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, bare(inner)]))
}

/** The schema made strict: fields that it does not name are refused. Only for the test, since later reports may have more. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict)
  if (value === null || typeof value !== 'object') return value
  const all = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strict(inner)]))
  // Of a type that extends another the parent must stay open.
  return 'properties' in all && !('additionalProperties' in all) ? { ...all, unevaluatedProperties: false } : all
}

const strictReport = (): Json => {
  const copy = strict(reportSchema) as { $defs: Record<string, Record<string, unknown>> }
  const { unevaluatedProperties: _open, ...finding } = copy.$defs['Finding'] ?? {}
  return { ...copy, $id: 'urn:tick-audit:strict', $defs: { ...copy.$defs, Finding: finding } }
}

describe('the schema of the report', () => {
  const own = Object.keys(definitions).filter((name) => name !== 'count' && name !== 'position')

  it.each(own)('says of %s what the model says', (name) => {
    expect(bare(definitions[name])).toEqual(expectedDeclaration(name))
  })

  it('has every type of the report', () => {
    const inReport = ts.createSourceFile('report', read('src/model/report.ts'), ts.ScriptTarget.ES2022)
    inReport.forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) expect(own).toContain(node.name.text)
    })
  })

  it.each([
    ['the sample', sample],
    ['a hostile report', hostile],
    ['an empty report', emptyReport('1.2.3', { code: 'x', severity: 'warning', message: 'y' })],
  ])('takes what the JSON format prints, and names every field of it: %s', (_, report) => {
    const printed: unknown = JSON.parse(renderJson(report))
    for (const schema of [reportSchema, strictReport()]) {
      const valid = compile(schema)
      expect(valid(printed), JSON.stringify(valid.errors, null, 1)).toBe(true)
    }
  })

  it('refuses a report that lacks a field or has a wrong one, and takes one with more', () => {
    const valid = compile(reportSchema)
    const { coverage: _coverage, ...less } = sample
    expect(valid(less)).toBe(false)
    expect(valid({ ...sample, schemaVersion: '2.0' })).toBe(false)
    expect(valid({ ...sample, findings: [{ ...sample.findings[0], severity: 'fatal' }] })).toBe(false)
    expect(valid({ ...sample, suppressed: [sample.findings[0]] })).toBe(false)
    expect(valid({ ...sample, more: 1 })).toBe(true)
    expect(compile(strictReport())({ ...sample, more: 1 })).toBe(false)
  })
})

describe('the schema of the configuration', () => {
  const schema = schemaOf('config.json')
  const valid = compile(schema)

  it('takes every field', () => {
    const config = {
      $schema: './node_modules/tick-audit/dist/schema/config.json',
      rules: { 'no-claim': 'warning', 'check-then-act': 'off' },
      effects: [{ call: 'mailer.deliver', class: 'email', kind: 'message', title: 'Mail', idempotencyHeader: 'x-key' }],
      notEffects: [{ host: '*.internal.example' }, { package: 'quiet' }],
      assumedRows: 200,
      latencies: { 'chat-model': { typicalSeconds: 3, worstSeconds: 30 }, email: { worstSeconds: 5 } },
      maxRunSeconds: 150,
      include: ['supabase/functions/**'],
      exclude: ['supabase/migrations/old/**'],
      migrationsOnly: true,
      baseline: 'tick-audit-baseline.json',
      failOn: 'warning',
    }
    expect(valid(config), JSON.stringify(valid.errors)).toBe(true)
    expect(Object.keys(config)).toEqual(Object.keys(schema['properties'] as object))
    expect([{}, { maxRunSeconds: null }, { baseline: null }, { baseline: false }].every((each) => valid(each))).toBe(
      true,
    )
  })

  it.each([
    [{ rule: {} }],
    [{ rules: { 'no-claim': 'warn' } }],
    [{ assumedRows: 0 }],
    [{ maxRunSeconds: 0 }],
    [{ effects: [{ class: 'email' }] }],
    [{ effects: [{ call: 'a.b' }] }],
    [{ effects: [{ call: 'a.b', class: 'mail' }] }],
    [{ notEffects: [{}] }],
    [{ latencies: { chat: { typicalSeconds: 1 } } }],
    [{ latencies: { email: { typical: 1 } } }],
    [{ failOn: 'warn' }],
    [{ baseline: true }],
    [{ include: 'supabase' }],
  ])('refuses %j', (config) => {
    expect(valid(config)).toBe(false)
  })

  it('knows the classes of the catalogue', () => {
    const defined = schema['$defs'] as Readonly<Record<string, Json>>
    expect(defined['latencyClass']?.['enum']).toEqual(Object.keys(LATENCIES))
  })

  it('takes its own examples', () => {
    for (const [name, property] of Object.entries(schema['properties'] as Readonly<Record<string, Json>>))
      for (const example of (property['examples'] ?? []) as unknown[])
        expect(valid({ [name]: example }), `${name} ${JSON.stringify(valid.errors)}`).toBe(true)
  })
})

describe('the schema of the baseline', () => {
  const valid = compile(schemaOf('baseline.v1.json'))
  const entry = { fingerprint: 'ta1:5f0c2b7d', ruleId: 'no-claim', function: null, file: 'a.ts', reason: 'until June' }

  it('takes entries with a reason, and no others', () => {
    expect(valid({ schemaVersion: '1.0', entries: [] })).toBe(true)
    expect(valid({ schemaVersion: '1.0', entries: [entry, { ...entry, function: 'send' }] })).toBe(true)
    expect(valid({ schemaVersion: '1.0', entries: [{ ...entry, reason: '' }] })).toBe(false)
    expect(valid({ schemaVersion: '1.0', entries: [{ ...entry, line: 3 }] })).toBe(false)
    expect(valid({ schemaVersion: '2.0', entries: [] })).toBe(false)
    expect(valid({ entries: [] })).toBe(false)
  })
})
