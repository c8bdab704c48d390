import { defineConfig } from 'vitest/config';

/** Where CI wants a report for machines; a person reads the default one. */
const report = process.env['WRP_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    pool: 'forks',
    // No module of ours has state, so the files of a process share what is loaded: half the processor time.
    isolate: false,
    // Many tests wait for clocks, jobs and processes; two at a time would leave the processors idle.
    maxWorkers: 4,
    // Bounds for what never ends: no machine is so slow that it meets them, however much else it does.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
