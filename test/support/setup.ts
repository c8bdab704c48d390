import { vi } from 'vitest';
import { hangBound } from './hang-bound.ts';

// Before each test file, by what the machine does then: no test is to fail because it does something else as well.
vi.setConfig({
  testTimeout: hangBound(60_000),
  hookTimeout: hangBound(120_000),
  expect: { poll: { timeout: hangBound(30_000) } },
});
