import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { versitygw } from './scripts/laboratory/s3-gateway.ts';

/** Where CI wants a report for machines; a person reads the default one. */
const report = process.env['WRP_TEST_REPORT'];

/**
 * Files that take longest, most of it waiting: started last, one of them would keep all others waiting.
 * `garbage-collection` forces collections, which are fast only while its process has loaded little.
 */
const longest = [
  'test/client/garbage-collection.slow.test.ts',
  'test/laboratory/crash.slow.test.ts',
  'test/operations/container.slow.test.ts',
  'test/workflows/hostile.slow.test.ts',
  'test/embedded-postgres/postgres.slow.test.ts',
  'test/links/browser.slow.test.ts',
  'test/design/design-loop.slow.test.ts',
  'test/webhooks/processes.slow.test.ts',
  'test/platform-rules/event-loop.slow.test.ts',
  'test/contract/snippets.slow.test.ts',
  'test/client/package.slow.test.ts',
  // Builds the portal.
  'test/portal/serving.test.ts',
  'test/workflows/ending.test.ts',
  'test/journeys/journeys.test.ts',
  'test/platform-rules/readiness.test.ts',
  'test/links/mail.test.ts',
  'test/mock/stateful.test.ts',
  'test/client/journeys.test.ts',
  'test/contract/breaking.test.ts',
];

/** Vitest starts with what took longest the last time, which a fresh clone cannot know. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const file = relative(import.meta.dirname, moduleId);
      const at = longest.indexOf(file);
      if (at !== -1) return at;
      // In a fresh clone, they would wait for the portal.
      return file.startsWith('test/portal/') ? longest.length + 1 : longest.length;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

const slow = 'test/**/*.slow.test.ts';
/** What is installed for them from the registries of several languages takes minutes. */
const compatibility = 'test/client/compatibility/*.test.ts';
/** The whole quick suite on a contract that has grown, and again on one that has shrunk: several minutes each. */
const growth = 'test/growth/*.test.ts';
const onS3 = 'test/{storage,blobs}/s3*.slow.test.ts';
/** What must also pass with files in S3 and several processes: tests of files, of every endpoint, and the sweeps. */
const installation = [
  'test/endpoints/*.test.ts',
  'test/sweeps/*.test.ts',
  'test/files/{binding,blobs,copy,downloads,signed-urls,sweep,sweep-failures,storage-quota,uploads}.test.ts',
  'test/workflows/ending.test.ts',
  'test/storage/retention.test.ts',
  'test/client/transfers.test.ts',
  'test/platform-rules/{error-reports,idempotency}.test.ts',
];

export default defineConfig({
  test: {
    // `npm test` runs `quick`, and `.ci/run` all: `npm run client:runtimes` and `client:generators` those of
    // `compatibility`, `npm run test:growth` that of `growth`. In `s3`, two servers and two workers store files in S3.
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [slow, compatibility, growth] },
      },
      { extends: true, test: { name: 'compatibility', include: [compatibility] } },
      { extends: true, test: { name: 'growth', include: [growth] } },
      { extends: true, test: { name: 'slow', include: [slow], exclude: [onS3] } },
      {
        extends: true,
        test: {
          name: 's3',
          include: [onS3, ...(existsSync(versitygw) ? installation : [])],
          globalSetup: ['test/support/s3-gateway.ts'],
        },
      },
    ],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/postgres.ts'],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // No module of ours has state, so the files of a process share what is loaded: half the processor time.
    isolate: false,
    // Node strips types itself and keeps what it compiled: a quarter less processor time than Vite's module runner.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many tests wait for clocks, jobs and processes; two at a time would leave the processors idle.
    maxWorkers: 4,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
