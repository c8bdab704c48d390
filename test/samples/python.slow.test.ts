import { test } from 'vitest';
import { python } from '../support/foreign-toolchains.ts';
import { pythonSamples } from './foreign-languages.ts';
import { describeSamples } from './stage.ts';

if (python) await describeSamples(await pythonSamples());
else test.skip('needs Python as `.ci/run` installs it');
