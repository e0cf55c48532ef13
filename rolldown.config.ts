import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'rolldown'
import { compilerLicence, parserModule } from './src/build/typescript-parser.js'

const PARSER = '\0typescript-parser'

/** `src/typescript/ts.ts` stands for as much of the TypeScript compiler as the product names. */
const parserOnly: Plugin = {
  name: 'parser-only',
  resolveId: (id) => (id === PARSER ? id : null),
  load(id) {
    if (id.replaceAll('\\', '/').endsWith('/src/typescript/ts.ts')) return `export * as ts from '${PARSER}'`
    return id === PARSER ? parserModule(namesUsed()) : null
  },
}

/** Every name that stands behind `ts.` in the source. */
const namesUsed = (): string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(fixtures|build)\b/.test(file))
    .flatMap((file) => [...readFileSync(`src/${file}`, 'utf8').matchAll(/\bts\.(\w+)/g)].map((match) => match[1]!))

/** Files that are shipped beside the code. */
const shipped: Plugin = {
  name: 'shipped',
  generateBundle() {
    for (const name of readdirSync('src/schema'))
      this.emitFile({ type: 'asset', fileName: `schema/${name}`, source: readFileSync(`src/schema/${name}`) })
    this.emitFile({ type: 'asset', fileName: 'typescript.LICENSE.txt', source: compilerLicence() })
  },
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }

export default defineConfig({
  input: { main: 'src/cli/main.ts', index: 'src/index.ts' },
  platform: 'node',
  external: [/^node:/, ...Object.keys(dependencies)],
  plugins: [parserOnly, shipped],
  // One flat folder: package.ts finds the package from where it stands.
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    codeSplitting: {
      groups: [
        { name: 'typescript-parser', test: /typescript-parser$/ },
        // All that a run needs that is said again: each file more takes a millisecond or two
        { name: 'cache', test: /src\/(cli\/cache\/(run|entry|inputs)|package)\.ts$/ },
      ],
    },
  },
})
