import { afterAll, vi } from 'vitest';
import { hangBound } from './hang-bound.ts';
import { endFile } from './temporary.ts';

// For each test file, by the load of the machine at that time.
vi.setConfig({
  testTimeout: hangBound(60_000),
  hookTimeout: hangBound(120_000),
  expect: { poll: { timeout: hangBound(30_000) } },
});

// The first hook of a file is the last to run.
afterAll(endFile);
