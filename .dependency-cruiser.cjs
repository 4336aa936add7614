/* The module order of docs/adr/0001: a folder imports only folders to its left, through their index.ts. */
const order = [
  'platform',
  'common',
  'backup',
  'config',
  'emoji',
  'media',
  'accounts',
  'oauth',
  'sign-in',
  'access',
  'statuses',
  'timelines',
  'chats',
  'notifications',
  'search',
  'federation',
  'portability',
  'retention',
  'instance',
  'admin',
  'streaming',
  'web',
];
const any = (names) => `^src/(${names.join('|')})/`;
const error = 'error';
/** What the thread for texts needs of the platform, which it does not load. */
const TEXT_PARTS = '^src/platform/urls/urls\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: error,
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-folders',
      severity: error,
      scope: 'folder',
      from: { path: '^src/[^/]+/.' },
      to: { circular: true },
    },
    {
      // Module, front door, shared controllers and jobs of a module stand above its folders.
      name: 'folders-do-not-import-the-top-of-their-module',
      severity: error,
      from: { path: '^src/([^/]+)/[^/]+/', pathNot: '^src/migrations/' },
      to: { path: '^src/$1/[^/]+\\.ts$' },
    },
    { name: 'unresolved', severity: error, from: {}, to: { couldNotResolve: true } },
    {
      // `npm start` and the image install the others only (scripts/bootstrap.mjs). Types are gone when the server runs.
      name: 'no-packages-of-development',
      severity: error,
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-declared-packages',
      severity: error,
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    ...order.slice(0, -1).map((name, at) => ({
      name: `left-only-${name}`,
      severity: error,
      from: { path: `^src/${name}/` },
      to: { path: any(order.slice(at + 1)) },
    })),
    {
      name: 'known-folders',
      severity: error,
      from: {},
      to: { path: '^src/[^/]+/', pathNot: [any(order), '^src/(migrations|ctl)/'] },
    },
    {
      name: 'operator-commands-are-the-end',
      severity: error,
      from: { pathNot: '^src/(ctl/|ctl\\.ts$|operator-command\\.ts$)' },
      to: { path: '^src/ctl/' },
    },
    {
      name: 'front-door',
      severity: error,
      from: { path: '^src/([^/]+)/' },
      to: { path: any(order), pathNot: ['^src/$1/', '^src/[^/]+/index\\.ts$', TEXT_PARTS] },
    },
    {
      name: 'front-door-from-root',
      severity: error,
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: any(order), pathNot: '/index\\.ts$' },
    },
    {
      name: 'not-own-front-door',
      severity: error,
      from: { path: '^src/([^/]+)/.+', pathNot: '^src/migrations/' },
      to: { path: '^src/$1/index\\.ts$' },
    },
    {
      name: 'nobody-imports-the-root',
      severity: error,
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'typeorm-in-its-places',
      severity: error,
      from: {
        path: '^src/',
        pathNot: [
          '\\.(entity|entities|repository|module)\\.ts$',
          '^src/(platform|migrations)/',
          '^src/(migrate|app\\.(module|entities|database))\\.ts$',
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      // A handler that needs only a repository stands on a service (docs/adr/0003).
      name: 'controllers-and-jobs-use-services',
      severity: error,
      from: { path: '\\.(controller|jobs)\\.ts$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'views-change-nothing',
      severity: error,
      from: { path: '\\.view\\.ts$' },
      to: { path: '\\.service\\.ts$' },
    },
    {
      name: 'repositories-call-no-services',
      severity: error,
      from: { path: '\\.repository\\.ts$' },
      to: { path: '\\.(service|controller|view)\\.ts$' },
    },
    {
      name: 'bull-in-one-file',
      severity: error,
      from: { path: '^src/', pathNot: '^src/platform/jobs/bull\\.carrier\\.ts$' },
      to: { path: 'node_modules/(@nestjs/)?bull/' },
    },
    {
      name: 'outbound-only-through-the-guarded-fetcher',
      severity: error,
      from: { path: '^src/', pathNot: '^src/platform/outbound/outbound' },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'web-push-only-writes-messages',
      severity: error,
      from: { path: '^src/', pathNot: '^src/notifications/push/push-message\\.ts$' },
      to: { path: 'node_modules/(@types/)?web-push/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
