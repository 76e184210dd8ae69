// Layers of src/, lowest first: a folder imports only itself and folders above it in this list.
const layers = [
  'time',
  'history',
  'requirements',
  'engines',
  'routers',
  'judge',
  'cluster',
  'systems',
  'load',
  'scenario',
  'embedded',
  'doubles',
];

// What a folder must know nothing of, although the order would allow it (the table in CONTRIBUTING.md).
const strangers = {
  judge: ['cluster', 'systems', 'load', 'scenario', 'embedded', 'doubles'],
  load: ['cluster', 'systems'],
  cluster: ['engines', 'routers', 'judge'],
  embedded: ['engines', 'routers', 'judge', 'systems', 'load', 'scenario'],
  doubles: ['judge', 'scenario', 'load'],
};

const tests = '\\.test\\.ts$';

module.exports = {
  forbidden: [
    ...layers.map((layer, i) => ({
      name: `layer-${layer}`,
      comment: `src/${layer} may import only itself and: ${layers.slice(0, i).join(', ') || 'nothing'}`,
      severity: 'error',
      from: { path: `^src/${layer}/`, pathNot: tests },
      to: { path: [...layers.slice(i + 1).map((l) => `^src/${l}/`), '^(suites|fixtures|scripts|reports)/'] },
    })),
    ...Object.entries(strangers).map(([layer, others]) => ({
      name: `stranger-${layer}`,
      severity: 'error',
      from: { path: `^src/${layer}/`, pathNot: tests },
      to: { path: others.map((l) => `^src/${l}/`) },
    })),
    {
      name: 'judge-is-pure',
      comment: 'a judge does no I/O of any kind',
      severity: 'error',
      from: { path: '^src/(judge|requirements|time)/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] },
  },
};
