/** Who may import whom: the picture in ARCHITECTURE.md, enforced. */
const room = (name, allowed) => ({
  name: `room-${name}`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  // closest.ts, "did you mean", is a leaf that knows nothing of the product
  to: { path: '^src/', pathNot: `^src/((${[name, 'model', ...allowed].join('|')})/|closest\\.ts$)` },
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    room('model', []),
    room('project', []),
    room('sql', []),
    room('typescript', []),
    room('effects', []),
    room('overlap', []),
    room('database', ['sql']),
    room('claims', ['sql']),
    room('ticks', ['database', 'sql', 'project', 'claims']),
    room('clients', ['typescript', 'sql', 'claims']),
    room('work', ['clients', 'effects', 'claims', 'typescript', 'sql', 'database', 'ticks', 'project']),
    room('rules', ['claims', 'overlap']),
    room('report', []),
    room('gate', []),
    room('config', []),
    room('build', []),
    {
      name: 'nothing-needs-the-build',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/build/' },
      to: { path: '^src/build/' },
    },
    {
      name: 'parsers-stay-in-their-rooms',
      comment:
        'Only sql/ loads libpg-query, only typescript/ts.ts loads ts-morph, and the build takes its parser out of it',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sql/|typescript/ts\\.ts$|build/)' },
      to: { path: 'node_modules/(libpg-query|ts-morph)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: '^src/fixtures',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
}
