import { defineConfig } from 'vitest/config';

/** Where CI wants a report for machines; a person reads the default one. */
const report = process.env['WRP_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Tests of crashes and outages keep to real time; a crowded CI machine gets a second look, people do not.
    retry: process.env['CI'] ? 1 : 0,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
