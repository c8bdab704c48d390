import { vi } from 'vitest';
import { hangBound } from './hang-bound.ts';

// For each test file, by the load of the machine at that time.
vi.setConfig({
  testTimeout: hangBound(60_000),
  hookTimeout: hangBound(120_000),
  expect: { poll: { timeout: hangBound(30_000) } },
});
