/**
 * Import rules for dependency-cruiser: imports point downward, and only composition roots choose adapters. The swc
 * parser also reports type-only imports, so there's no need for `tsPreCompilationDeps`, which requires TypeScript 6 or
 * older.
 */
const tests = '\\.test\\.tsx?$|/testing/|/test/';

/** The workspace packages that each package may import. */
const packages = {
  base: [],
  client: [],
  contract: ['client', 'base'],
  'mind-map': ['contract', 'base'],
  vault: ['mind-map', 'contract', 'base'],
  device: ['base'],
  transports: ['device', 'base'],
  audio: ['base'],
  omi: ['audio', 'device', 'base'],
  pocket: ['device', 'base'],
  recorders: ['device', 'base'],
  sync: ['device', 'contract', 'base'],
  'local-db': ['sync', 'vault', 'contract', 'base'],
};

const packageRules = Object.entries(packages).map(([name, allowed]) => ({
  name: `package-${name}`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'no other workspace package'}`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: {
    path: '^(packages|apps|e2e)/',
    pathNot: `^packages/(${[name, ...allowed].join('|')})/`,
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...packageRules,
    {
      name: 'base-has-no-imports',
      comment: 'packages/base has no dependencies, so every module can use it',
      severity: 'error',
      from: { path: '^packages/base/src/', pathNot: tests },
      to: { pathNot: '^packages/base/src/' },
    },
    {
      name: 'apps-do-not-import-each-other',
      comment: 'app, server and virtual recorder share code only in packages',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'server-imports-contract-only',
      comment:
        'app and server share the contract, mind maps, notes and audio; the server does not communicate with recorders',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: tests },
      to: { path: '^packages/(device|transports|sync|local-db)/' },
    },
    {
      name: 'no-node-in-portable-packages',
      comment: 'these packages also run in browsers',
      severity: 'error',
      from: {
        path: '^packages/(base|client|contract|device|mind-map|omi|pocket|sync|audio|recorders|transports|vault)/src/',
        pathNot: `${tests}|wasm-node\\.ts$|-node\\.ts$`,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pages-do-not-import-features-or-platform',
      comment: 'pages and ui receive services; they do not import features or the platform',
      severity: 'error',
      from: { path: '^apps/app/src/(pages|ui)/' },
      to: { path: '^apps/app/src/(features|platform|workbench)/' },
    },
    {
      name: 'features-do-not-import-the-interface',
      comment:
        'features and i18n build on ports, packages and runtime/, not on pages, ui or the platform',
      severity: 'error',
      from: { path: '^apps/app/src/(features|ports|i18n)/', pathNot: tests },
      to: { path: '^apps/app/src/(pages|ui|routing|page-kit|platform|workbench)/' },
    },
    {
      name: 'pages-do-not-import-the-router',
      comment: 'the router imports pages; pages, page-kit and ui do not import the router',
      severity: 'error',
      from: { path: '^apps/app/src/(pages|page-kit|ui)/', pathNot: tests },
      to: { path: '^apps/app/src/(routing|workbench)/' },
    },
    {
      name: 'only-tests-import-testing',
      comment: 'testing/ renders pages for tests; the app does not contain it',
      severity: 'error',
      from: { path: '^apps/app/src/', pathNot: tests },
      to: { path: '^apps/app/src/testing/' },
    },
    {
      name: 'page-kit-does-not-import-pages',
      comment: 'page-kit and ui do not import pages, not even dynamically',
      severity: 'error',
      from: { path: '^apps/app/src/(page-kit|ui)/', pathNot: tests },
      to: { path: '^apps/app/src/pages/' },
    },
    {
      name: 'only-entry-points-import-composition',
      comment: 'composition/ connects features to adapters; only entry points import it',
      severity: 'error',
      from: { path: '^apps/app/src/[^/]+/', pathNot: '^apps/app/src/composition/' },
      to: { path: '^apps/app/src/composition/' },
    },
    {
      name: 'runtime-does-not-import-the-app',
      comment: 'every part of the app may use runtime/, so it must not import them',
      severity: 'error',
      from: { path: '^apps/app/src/runtime/', pathNot: tests },
      to: { path: '^apps/app/src/(?!runtime/)' },
    },
    {
      name: 'no-cycles',
      comment: 'modules do not import each other in cycles; dynamic imports do not count',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
    {
      name: 'resolvable',
      comment:
        'imports name package exports, not internal files; the build resolves virtual modules',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?url$|^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Build output, and the native projects that contain copies of it.
    exclude: { path: '(^|/)(dist|dist-phone|node_modules)/|^apps/app/(android|ios)/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
