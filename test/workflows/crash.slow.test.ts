import { testCrashes } from './crashes.ts';

testCrashes(20);
