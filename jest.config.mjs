/**
 * Five projects, by what they need: unit needs nothing, db and e2e need PostgreSQL (the embedded one, or the server
 * TEST_DATABASE_URL names), snapshots and extension build the application. A sixth, chaos, takes minutes and is there for
 * `npm run chaos` only.
 */
const common = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const withDatabase = {
  ...common,
  globalSetup: '<rootDir>/test/harness/global-setup.mjs',
  globalTeardown: '<rootDir>/test/harness/global-teardown.mjs',
};

export default {
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/examples/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    },
    { ...withDatabase, displayName: 'db', testMatch: ['<rootDir>/test/db/**/*.db-spec.ts'] },
    { ...withDatabase, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.e2e-spec.ts'] },
    { ...withDatabase, displayName: 'snapshots', testMatch: ['<rootDir>/test/snapshots/**/*.spec.ts'] },
    { ...withDatabase, displayName: 'extension', testMatch: ['<rootDir>/test/extension/**/*.spec.ts'] },
    // Not of `npm test`: it takes minutes, and kills what it starts.
    ...(process.env.CHAOS === '1'
      ? [{ ...withDatabase, displayName: 'chaos', testMatch: ['<rootDir>/test/chaos/**/*.chaos-spec.ts'] }]
      : []),
  ],
};
