import js from '@eslint/js';
import graphql from '@graphql-eslint/eslint-plugin';
import tseslint from 'typescript-eslint';

/** The committed schema, which a test compares with the one that is served. */
const SCHEMA = 'test/snapshots/schema.graphql';

/** What has no id, since it is nothing by itself: parts, numbers and results. A new one is looked at before it stands here. */
const VALUES = [
  'BrandAlias',
  'BrandCoverage',
  'BrandMerge',
  'BrandMergeConflict',
  'CappedCount',
  'CoverageCell',
  'CoverageCount',
  'CoverageSummary',
  'CrawlerAnswer',
  'CreatedPersonalToken',
  'FailedJobsRetry',
  'GalleryKey',
  'HourlyAnswers',
  'JobAttempt',
  'JobCount',
  'JobHour',
  'JobKindPause',
  'NewCrawlerSecret',
  'OutcomeCount',
  'PageInfo',
  'Picture',
  'Problem',
  'RecordOverrides',
  'SharedName',
  'UnknownBrand',
  'UserWithPassword',
];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.data/', 'coverage/'] },
  { files: ['**/*.{ts,mjs}'], ...js.configs.recommended },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*-spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  { files: ['**/*.mjs'], languageOptions: { globals: { process: 'readonly', console: 'readonly' } } },
  { files: ['examples/crawlers/*.mjs'], languageOptions: { globals: { fetch: 'readonly', AbortSignal: 'readonly' } } },
  {
    files: [SCHEMA],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: SCHEMA } } },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      '@graphql-eslint/require-description': [
        'error',
        {
          types: true,
          DirectiveDefinition: true,
          EnumValueDefinition: true,
          FieldDefinition: true,
          InputValueDefinition: true,
          // They are made of what every room adds to them, and their fields say what they are.
          ignoredSelectors: ['ObjectTypeDefinition[name.value=/^(Query|Mutation)$/]'],
        },
      ],
      // Their values are the words of the rows, so that the database and every interface speak one vocabulary.
      '@graphql-eslint/naming-convention': [
        'error',
        {
          ...graphql.configs['flat/schema-recommended'].rules['@graphql-eslint/naming-convention'][1],
          EnumValueDefinition: 'snake_case',
        },
      ],
      '@graphql-eslint/strict-id-in-types': [
        'error',
        { exceptions: { types: VALUES, suffixes: ['Connection', 'Edge', 'Result'] } },
      ],
      '@graphql-eslint/relay-connection-types': 'error',
      // Pages also have their nodes without edges, for those who need no cursor of each; and nothing is found by a global id.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      '@graphql-eslint/relay-page-info': 'error',
      // Forwards only: a keyset page backwards is a second set of indexes.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
    },
  },
);
