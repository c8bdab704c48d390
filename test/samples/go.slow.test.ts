import { test } from 'vitest';
import { go } from '../support/foreign-toolchains.ts';
import { goSamples } from './foreign-languages.ts';
import { describeGuides } from './guides.ts';
import { describeIdentifiers } from './identifiers.ts';
import { describeSamples } from './stage.ts';

if (go) {
  const samples = await goSamples();
  await describeSamples(samples);
  await describeGuides('Go', go);
  await describeIdentifiers(samples);
} else test.skip('needs Go');
