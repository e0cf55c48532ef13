import { ts } from './ts.js'
import type { Reason } from '../model/index.js'
import type { Machine } from './machine.js'
import { parseModule, type ParsedModule } from './parse.js'
import { read, write } from './state.js'
import { UNKNOWN, altOf, type Scope, type Value } from './value.js'

const K = ts.SyntaxKind

export type Resolution =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'external'; readonly specifier: string }
  | { readonly kind: 'missing'; readonly path: string }

/** Where modules come from; given by whoever knows the project. */
export interface ModuleSource {
  read(path: string): string | null
  resolve(specifier: string, from: string): Resolution
}

/** Parsed modules by path, shared by all functions of a run: every file is parsed once. */
export type ParsedModules = Map<string, ParsedModule | null>

export interface ModuleInstance {
  readonly scope: Scope
  /** Cells by exported name. */
  readonly exports: Map<string, number>
}

/** The modules of one run of one function. */
export interface Modules {
  readonly instances: Map<string, ModuleInstance>
  readonly problems: Reason[]
  readonly parsed: ParsedModules
  readonly source: ModuleSource
}

export function parsedModule(modules: Pick<Modules, 'parsed' | 'source'>, path: string): ParsedModule | null {
  const known = modules.parsed.get(path)
  if (known !== undefined) return known
  const text = modules.source.read(path)
  const parsed = text === null ? null : parseModule(path, text)
  modules.parsed.set(path, parsed)
  return parsed
}

/** Runs a module's top level once: its imports first, as JavaScript does; cycles see what is there already. */
export function instantiate(machine: Machine, modules: Modules, path: string): ModuleInstance | null {
  const known = modules.instances.get(path)
  if (known) return known
  const parsed = parsedModule(modules, path)
  if (parsed === null) return null
  if (parsed.error && !modules.problems.includes(parsed.error)) modules.problems.push(parsed.error)
  const scope: Scope = { names: new Map(), parent: null, self: null, file: path, module: true }
  const instance: ModuleInstance = { scope, exports: new Map() }
  modules.instances.set(path, instance)
  const statements = parsed.file.statements
  for (const statement of statements) declareTopLevel(machine, statement, instance)
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) importNames(machine, modules, statement, instance)
    else if (ts.isExportDeclaration(statement)) exportNames(machine, modules, statement, instance)
  }
  for (const statement of statements) {
    if (machine.state.dead) break
    if (ts.isExportAssignment(statement))
      write(machine.state, exportCell(machine, instance, 'default'), machine.evaluate(statement.expression, scope))
    else if (!ts.isFunctionDeclaration(statement) && !ts.isImportDeclaration(statement))
      machine.execute(statement, scope)
  }
  widenMutable(machine, statements, scope)
  return instance
}

function exportCell(machine: Machine, instance: ModuleInstance, name: string): number {
  const known = instance.exports.get(name)
  if (known !== undefined) return known
  const cell = machine.alloc(UNKNOWN)
  instance.exports.set(name, cell)
  return cell
}

function declareTopLevel(machine: Machine, statement: ts.Statement, instance: ModuleInstance): void {
  const { scope } = instance
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  const exported = modifiers.some((modifier) => modifier.kind === K.ExportKeyword)
  const isDefault = modifiers.some((modifier) => modifier.kind === K.DefaultKeyword)
  const declareCell = (name: string, value: Value) => {
    const cell = machine.alloc(value)
    scope.names.set(name, cell)
    if (exported) instance.exports.set(isDefault ? 'default' : name, cell)
  }
  if (ts.isFunctionDeclaration(statement) && statement.body) {
    const value: Value = { kind: 'function', node: statement, scope, self: null }
    if (statement.name) declareCell(statement.name.text, value)
    else if (isDefault) instance.exports.set('default', machine.alloc(value))
  } else if (ts.isClassDeclaration(statement)) {
    const value: Value = { kind: 'class', node: statement, scope }
    if (statement.name) declareCell(statement.name.text, value)
    else if (isDefault) instance.exports.set('default', machine.alloc(value))
  } else if (ts.isEnumDeclaration(statement)) declareCell(statement.name.text, UNKNOWN)
  else if (ts.isVariableStatement(statement))
    for (const declaration of statement.declarationList.declarations)
      for (const name of namesOf(declaration.name)) declareCell(name, UNKNOWN)
}

function namesOf(pattern: ts.BindingName): string[] {
  if (ts.isIdentifier(pattern)) return [pattern.text]
  return pattern.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesOf(element.name)))
}

/** What a specifier stands for: the cells of a file's exports, a package, or nothing that is there. */
function target(
  machine: Machine,
  modules: Modules,
  specifier: string,
  from: string,
): ModuleInstance | { external: string } | null {
  const resolved = modules.source.resolve(specifier, from)
  if (resolved.kind === 'external') return { external: resolved.specifier }
  return resolved.kind === 'file' ? instantiate(machine, modules, resolved.path) : null
}

const missing = (specifier: string): Value => ({
  kind: 'unknown',
  taints: new Set([`missing:${specifier}`]),
  lost: `the import ${specifier}, which is not there`,
})

function importNames(
  machine: Machine,
  modules: Modules,
  statement: ts.ImportDeclaration,
  instance: ModuleInstance,
): void {
  const clause = statement.importClause
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return
  if (clause?.isTypeOnly) return
  const specifier = statement.moduleSpecifier.text
  const named = clause?.namedBindings
  if (
    clause &&
    !clause.name &&
    named &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((element) => element.isTypeOnly)
  )
    return
  const from = target(machine, modules, specifier, instance.scope.file)
  const give = (local: string, imported: string) => {
    if (from === null) instance.scope.names.set(local, machine.alloc(missing(specifier)))
    else if ('external' in from)
      instance.scope.names.set(
        local,
        machine.alloc({
          kind: 'external',
          specifier: from.external,
          path: imported === 'default' ? [] : [imported],
          made: [],
        }),
      )
    else instance.scope.names.set(local, exportCell(machine, from, imported))
  }
  if (clause?.name) give(clause.name.text, 'default')
  if (!named) return
  if (ts.isNamespaceImport(named))
    instance.scope.names.set(named.name.text, machine.alloc(namespaceOf(machine, from, specifier)))
  else
    for (const element of named.elements)
      if (!element.isTypeOnly) give(element.name.text, (element.propertyName ?? element.name).text)
}

function namespaceOf(machine: Machine, from: ModuleInstance | { external: string } | null, specifier: string): Value {
  if (from === null) return missing(specifier)
  if ('external' in from) return { kind: 'external', specifier: from.external, path: [], made: [] }
  return machine.object(
    [...from.exports].map(
      ([name, cell]) => [name, (read(machine.state, cell) as Value | undefined) ?? UNKNOWN] as const,
    ),
  )
}

function exportNames(
  machine: Machine,
  modules: Modules,
  statement: ts.ExportDeclaration,
  instance: ModuleInstance,
): void {
  if (statement.isTypeOnly) return
  const clause = statement.exportClause
  if (!statement.moduleSpecifier) {
    if (clause && ts.isNamedExports(clause))
      for (const element of clause.elements) {
        const cell = instance.scope.names.get((element.propertyName ?? element.name).text)
        if (cell !== undefined) instance.exports.set(element.name.text, cell)
      }
    return
  }
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return
  const specifier = statement.moduleSpecifier.text
  const from = target(machine, modules, specifier, instance.scope.file)
  if (clause && ts.isNamespaceExport(clause)) {
    instance.exports.set(clause.name.text, machine.alloc(namespaceOf(machine, from, specifier)))
    return
  }
  if (from === null || 'external' in from) {
    if (clause && ts.isNamedExports(clause))
      for (const element of clause.elements)
        instance.exports.set(
          element.name.text,
          machine.alloc(
            from === null
              ? missing(specifier)
              : {
                  kind: 'external',
                  specifier: from.external,
                  path: [(element.propertyName ?? element.name).text],
                  made: [],
                },
          ),
        )
    return
  }
  if (!clause) {
    for (const [name, cell] of from.exports)
      if (name !== 'default' && !instance.exports.has(name)) instance.exports.set(name, cell)
  } else if (ts.isNamedExports(clause))
    for (const element of clause.elements)
      instance.exports.set(element.name.text, exportCell(machine, from, (element.propertyName ?? element.name).text))
}

/** The value of `await import('…')`. */
export function importNamespace(machine: Machine, modules: Modules, specifier: string, from: string): Value {
  const found = target(machine, modules, specifier, from)
  const namespace = namespaceOf(machine, found, specifier)
  if (found && !('external' in found) && found.exports.has('default')) return namespace
  return namespace
}

/** A variable of the module that functions change is not known when a request comes: another one may have been here. */
function widenMutable(machine: Machine, statements: readonly ts.Statement[], scope: Scope): void {
  const names = new Set<string>()
  for (const statement of statements) {
    if (!ts.isVariableStatement(statement) || statement.declarationList.flags & ts.NodeFlags.Const) continue
    for (const declaration of statement.declarationList.declarations)
      for (const name of namesOf(declaration.name)) names.add(name)
  }
  for (const name of names) {
    const cell = scope.names.get(name)
    if (cell === undefined) continue
    const value = read(machine.state, cell) as Value | undefined
    if (value?.kind !== 'const') continue
    const later: Value = { kind: 'unknown', taints: new Set([`module:${scope.file}#${name}`]) }
    write(
      machine.state,
      cell,
      value.value == null
        ? altOf([
            { value: later, facts: [] },
            { value, facts: [] },
          ])
        : later,
    )
  }
}
