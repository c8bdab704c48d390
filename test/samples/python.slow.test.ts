import { test } from 'vitest';
import { python } from '../support/foreign-toolchains.ts';
import { pythonSamples } from './foreign-languages.ts';
import { describeGuides } from './guides.ts';
import { describeIdentifiers } from './identifiers.ts';
import { describeSamples } from './stage.ts';

if (python) {
  const samples = await pythonSamples();
  await describeSamples(samples);
  await describeGuides('Python', python);
  await describeIdentifiers(samples);
} else test.skip('needs Python as `.ci/run` installs it');
