import { testCrashes } from './crashes.ts';

// More of them: crash.slow.test.ts.
testCrashes(1);
