/** A file that `init` writes. */
export interface InitFile {
  /** Relative to the repository. */
  readonly path: string
  readonly text: string
  /** What says that a file of this name has it already. */
  readonly mark: string
  readonly executable?: boolean
  /** How it is added to a file that is there; null: only a person can. Left out: such a file would be replaced. */
  readonly join?: (before: string) => string | null
}

export const HOOKS = ['pre-commit', 'husky', 'lefthook'] as const
export type Hook = (typeof HOOKS)[number]

export function isHook(name: string | null): name is Hook {
  return HOOKS.some((hook) => hook === name)
}

const within = (inside: string, path: string): string => (inside === '' ? path : `${inside}/${path}`)
const argument = (inside: string): string =>
  inside === '' ? '' : ` ${/^[\w./-]+$/.test(inside) ? inside : `'${inside.replaceAll("'", "'\\''")}'`}`

/** Every value is the default: a start to be changed. */
export function configFile(inside: string): InitFile {
  const text = `${JSON.stringify(
    {
      $schema: './node_modules/tick-audit/dist/schema/config.json',
      failOn: 'error',
      assumedRows: 100,
      maxRunSeconds: null,
      rules: {},
      effects: [],
      notEffects: [],
    },
    null,
    2,
  )}\n`
  return { path: within(inside, 'tick-audit.json'), text, mark: '"failOn"' }
}

export function hookFile(hook: Hook, inside: string, version: string): InitFile {
  switch (hook) {
    case 'pre-commit':
      return preCommit(inside, version)
    case 'husky':
      return husky(inside)
    case 'lefthook':
      return lefthook(inside)
  }
}

/** A local hook: pre-commit itself installs the pinned package from npm (pre-commit docs, `language: node`). */
function preCommit(inside: string, version: string): InitFile {
  const text = `repos:
  - repo: local
    hooks:
      - id: tick-audit
        name: tick-audit
        language: node
        additional_dependencies: ['tick-audit@${version}']
        entry: tick-audit --staged${argument(inside)}
        files: ^${within(inside, 'supabase/').replaceAll('.', '\\.')}
        pass_filenames: false
        require_serial: true
`
  return { path: '.pre-commit-config.yaml', text, mark: 'id: tick-audit', join: () => null }
}

/** husky runs .husky/pre-commit with sh (husky docs, "How To"); what is there may be added to line by line. */
function husky(inside: string): InitFile {
  const line = `npx --no-install tick-audit --staged${argument(inside)}\n`
  const join = (before: string) => `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}`
  return { path: '.husky/pre-commit', text: line, mark: 'tick-audit --staged', executable: true, join }
}

function lefthook(inside: string): InitFile {
  const text = `pre-commit:
  commands:
    tick-audit:
      glob: '${within(inside, 'supabase/**')}'
      run: npx --no-install tick-audit --staged${argument(inside)}
`
  return { path: 'lefthook.yml', text, mark: 'tick-audit --staged', join: () => null }
}

/** Annotations, a step summary and code scanning, on pull requests and on the main branch. */
export function workflowFile(inside: string, version: string): InitFile {
  const text = `name: tick-audit

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read
  security-events: write

jobs:
  tick-audit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npx --yes tick-audit@${version} -f github -f sarif=tick-audit.sarif${argument(inside)}
      - if: always() && hashFiles('tick-audit.sarif') != ''
        uses: github/codeql-action/upload-sarif@v3
        with:
          sarif_file: tick-audit.sarif
`
  return { path: '.github/workflows/tick-audit.yml', text, mark: 'npx --yes tick-audit@' }
}
