/**
 * Which room may import which: imports point down, and adapters are chosen in composition roots only.
 * Read by dependency-cruiser.
 */
const tests = '\\.test\\.tsx?$|/testing/|/test/';

/** A package may import these of ours, and nothing else of ours. */
const packages = {
  base: [],
  contract: ['base'],
  device: ['base'],
  transports: ['device', 'base'],
  audio: ['base'],
  sync: ['device', 'contract', 'base'],
  'local-db': ['sync', 'contract', 'base'],
};

const packageRules = Object.entries(packages).map(([name, allowed]) => ({
  name: `package-${name}`,
  comment: `packages/${name} may import ${allowed.join(', ') || 'nothing of ours'}`,
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
      name: 'base-imports-nothing',
      comment: 'everything may use packages/base: it depends on no package, ours or installed',
      severity: 'error',
      from: { path: '^packages/base/src/', pathNot: tests },
      to: { pathNot: '^packages/base/src/' },
    },
    {
      name: 'apps-meet-in-packages',
      comment: 'app, server and virtual recorder meet only in packages',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: tests },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'app-speaks-contract-only',
      comment: 'the app knows the server by the contract, the server knows no recorder',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: tests },
      to: { path: '^packages/(device|transports|sync|local-db)/' },
    },
    {
      name: 'no-node-in-portable-packages',
      comment: 'these packages run in browsers too',
      severity: 'error',
      from: {
        path: '^packages/(base|contract|device|sync|audio|transports)/src/',
        pathNot: `${tests}|wasm-node\\.ts$|-node\\.ts$`,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'platform-differences-live-in-platform',
      comment: 'pages and ui get services, they do not reach into features or the platform',
      severity: 'error',
      from: { path: '^apps/app/src/(pages|ui)/' },
      to: { path: '^apps/app/src/(features|platform|workbench)/' },
    },
    {
      name: 'features-know-no-interface',
      comment:
        'features and words are built on ports, packages and runtime/, not on pages, ui or the platform',
      severity: 'error',
      from: { path: '^apps/app/src/(features|ports|i18n)/', pathNot: tests },
      to: { path: '^apps/app/src/(pages|ui|routing|page-kit|platform|workbench)/' },
    },
    {
      name: 'pages-know-no-other-page',
      comment:
        'the router knows every page; a page, and the kit that pages are made with, know no router',
      severity: 'error',
      from: { path: '^apps/app/src/(pages|page-kit|ui)/', pathNot: tests },
      to: { path: '^apps/app/src/(routing|workbench)/' },
    },
    {
      name: 'page-kit-knows-no-page',
      comment: 'what all pages are made with imports none of them, not even later',
      severity: 'error',
      from: { path: '^apps/app/src/(page-kit|ui)/', pathNot: tests },
      to: { path: '^apps/app/src/pages/' },
    },
    {
      name: 'composition-is-the-top',
      comment: 'features meet adapters in composition/, which only the entry points import',
      severity: 'error',
      from: { path: '^apps/app/src/[^/]+/', pathNot: '^apps/app/src/composition/' },
      to: { path: '^apps/app/src/composition/' },
    },
    {
      name: 'runtime-is-the-bottom',
      comment: 'what every part of the app may use imports none of them',
      severity: 'error',
      from: { path: '^apps/app/src/runtime/', pathNot: tests },
      to: { path: '^apps/app/src/(?!runtime/)' },
    },
    {
      name: 'no-cycles',
      comment: 'a circle has no top to read from; a page loaded later is no circle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } },
    },
    {
      name: 'resolvable',
      comment:
        'imports name what a package exports, not files inside it; the build makes what is virtual',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?url$|^virtual:' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What was built, and the phones' projects, which hold copies of it.
    exclude: { path: '(^|/)(dist|dist-phone|node_modules)/|^apps/app/(android|ios)/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
