import tseslint from 'typescript-eslint';

const NAMED_EXPORTS = [{ selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }];

/** Rules that have one home; their homes are excepted below. */
const relations = 'Use src/accounts/model/relations.sql.ts.';
const tokens = 'Use src/oauth/model/token.sql.ts.';
const visibility = 'Use a class of src/accounts/model/visibility-classes.ts.';
const ONE_HOME = [
  { selector: 'TemplateElement[value.raw=/\\bstate = [01]\\b/]', message: relations },
  { selector: 'Literal[value=/\\bstate = [01]\\b/]', message: relations },
  { selector: 'TemplateElement[value.raw=/\\bstate when\\b/]', message: relations },
  { selector: 'TemplateLiteral > Identifier[name=/^FOLLOW_/]', message: relations },
  { selector: 'TemplateElement[value.raw=/expires_at (is null or|<= now)/]', message: relations },
  { selector: 'Literal[value=/expires_at (is null or|<= now)/]', message: relations },
  { selector: 'TemplateElement[value.raw=/expires_at > now..(?! [-+])/]', message: tokens },
  { selector: 'Literal[value=/expires_at > now..(?! [-+])/]', message: tokens },
  { selector: 'BinaryExpression > MemberExpression[object.name="Visibility"]', message: visibility },
  { selector: 'TemplateLiteral > MemberExpression[object.name="Visibility"]', message: visibility },
  { selector: 'BinaryExpression[left.name="visibility"] > Literal[value=/^[a-z]+$/]', message: visibility },
  { selector: 'BinaryExpression[left.property.name="visibility"] > Literal[value=/^[a-z]+$/]', message: visibility },
];

/** Handlers of events and jobs stand in services and `*.jobs.ts` (ADR 3), SQL in `*.repository.ts` and `*.sql.ts`. */
const HANDLERS = {
  selector: 'Decorator > CallExpression[callee.name=/^(Subscribes(ToAll)?|Recurs|Handles)$/]',
  message: 'Handle events and jobs in a service or a *.jobs.ts (ADR 3).',
};
const declared = 'Declare SQL in a *.repository.ts or *.sql.ts.';
const STATEMENTS = [
  { selector: 'CallExpression[callee.name=/^(sql|cte|someRow|withCtes)$/]', message: declared },
  { selector: 'TaggedTemplateExpression[tag.name="fragment"]', message: declared },
  { selector: 'CallExpression[callee.property.name="query"]', message: declared },
  { selector: 'TemplateElement[value.raw=/^[\\s(]*(select|insert into|delete from) \\S/]', message: declared },
  { selector: 'TemplateElement[value.raw=/^[\\s(]*(coalesce|json_build_object)[(]/]', message: declared },
];
/** Rendered JSON is parsed by the views that offer objects (`objects`, `object`), and by nothing else (ADR 25). */
const PARSED = {
  selector: 'CallExpression[callee.property.name="parse"][arguments.length=0]',
  message: 'Ask the view for objects: rendered JSON is not parsed (ADR 25).',
};
/** A request class says in its name where the values come from. */
const REQUEST_CLASS = {
  selector: 'Decorator > CallExpression[callee.name="Input"] > Identifier.arguments[name!=/(Body|Query|Params)$/]',
  message: 'Name the request class *Body, *Query or *Params.',
};
/** The provider of a file is named like the file. */
const named = (suffix) => ({
  selector: `ClassDeclaration[id.name!=/${suffix}$/]:has(Decorator > CallExpression[callee.name="Injectable"])`,
  message: `Name the class *${suffix}.`,
});
/** The parser takes long for long hosts: one place refuses these (threat F13). */
const read = 'Use parseUrl for texts of others, knownUrl for addresses of this server (src/platform/urls/urls.ts).';
const URLS = [
  { selector: 'CallExpression[callee.object.name="URL"][callee.property.name=/^(parse|canParse)$/]', message: read },
  { selector: 'NewExpression[callee.name="URL"]:not(:has(MetaProperty))', message: read },
];
/** V8 puts such a function into the old generation, with all that it refers to (docs/adr/0027). */
const ASSIGNED_FUNCTION = {
  selector: 'AssignmentExpression[left.type="MemberExpression"][right.type=/^(ArrowFunction|Function)Expression$/]',
  message: 'Assign a named function, or write it in an object literal (ADR 27).',
};
/** One word for one thing, and verbs that say what is done (docs/glossary.md). Other processes read `isBoost` and `boosterIds`. */
const VERBS = 'keep(?!Alive)|take|hold|bury|adopt|plant|poke|wake|heard|told|look(?!Up)|marks(?!Media)|surroundings';
const WORDS = `^(${VERBS})([A-Z]|$)|boost(?!erIds)|(?<!is)Boost`;
const TYPE_WORDS = 'Surroundings|[bB]oost|(^|[a-z])Posts?(?!Format)([A-Z]|$)';
const words = (selector, regex) => ({ selector, format: null, custom: { regex, match: false } });
const parsing = (files, ...rules) => ({
  files,
  rules: { 'no-restricted-syntax': ['error', ...NAMED_EXPORTS, ASSIGNED_FUNCTION, ...URLS, ...rules] },
});
const restricted = (files, ...rules) => parsing(files, PARSED, ...rules);

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'data/**', 'coverage/', '*.cjs'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 60 }],
      complexity: ['error', 12],
      'no-console': 'error',
      'no-useless-rename': 'error',
      'object-shorthand': ['error', 'properties'],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read the environment through readEnv (platform/env.ts).' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['forwardRef'],
              message: 'The module order makes cycles needless (docs/adr/0001).',
            },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        ...NAMED_EXPORTS,
        ASSIGNED_FUNCTION,
        ...URLS,
        PARSED,
        ...ONE_HOME,
        ...STATEMENTS,
        REQUEST_CLASS,
      ],
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Use the guarded fetcher (platform/outbound/outbound.ts).' },
      ],
    },
  },
  restricted(['src/**/*.{controller,gateway,guard}.ts'], ...ONE_HOME, HANDLERS, ...STATEMENTS, REQUEST_CLASS),
  restricted(['src/**/*.jobs.ts'], ...ONE_HOME, ...STATEMENTS, named('Jobs')),
  restricted(
    ['src/**/*.sql.ts', 'src/platform/database/*.ts', 'src/platform/replicas/*.ts', 'src/migrate.ts'],
    ...ONE_HOME,
    HANDLERS,
  ),
  restricted(['src/**/*.repository.ts'], ...ONE_HOME, HANDLERS, named('Repository')),
  {
    files: ['src/**/*.ts'],
    ignores: ['src/migrations/**', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        words(['variable', 'function', 'parameter', 'classMethod', 'classProperty'], WORDS),
        words('typeLike', TYPE_WORDS),
      ],
    },
  },
  restricted(['src/**/*.service.ts'], ...ONE_HOME, ...STATEMENTS, named('Service')),
  restricted(['src/**/*.view.ts'], ...ONE_HOME, HANDLERS, ...STATEMENTS, named('View')),
  parsing(
    ['accounts/rendering/account', 'statuses/rendering/status', 'notifications/reading/notification'].map(
      (view) => `src/${view}.view.ts`,
    ),
    ...ONE_HOME,
    HANDLERS,
    ...STATEMENTS,
    named('View'),
  ),
  parsing(['src/common/answers/json.ts', 'src/web/parts/rendered.ts'], ...ONE_HOME, ...STATEMENTS),
  {
    files: [
      'src/main.ts',
      'src/ctl.ts',
      'src/ctl/**/*.ts',
      'ormconfig.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
      '**/*.spec.ts',
    ],
    rules: {
      'no-console': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': 'off',
      'no-restricted-globals': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  // The matchers of vitest, as expect.any, have the type any.
  { files: ['test/**/*.ts', '**/*.spec.ts'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
  restricted([
    'src/accounts/model/relations.sql.ts',
    'src/accounts/model/visibility-classes.ts',
    'src/oauth/model/token.sql.ts',
    'src/statuses/model/visibility.ts',
    'src/migrations/**/*.ts',
  ]),
  { files: ['src/platform/urls/urls.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['src/migrations/**/*.ts', 'test/data/**/*.ts'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
);
