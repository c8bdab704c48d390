import { afterAll, vi } from 'vitest';
import { endFile } from './temporary.ts';
import { scaledTimeout } from './timeout.ts';

// For each test file, by the load of the machine at that time.
vi.setConfig({
  testTimeout: scaledTimeout(60_000),
  hookTimeout: scaledTimeout(120_000),
  expect: { poll: { timeout: scaledTimeout(30_000) } },
});

// The first hook of a file is the last to run.
afterAll(endFile);
// The files of a process share its variables and globals.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
