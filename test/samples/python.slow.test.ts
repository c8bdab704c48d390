import { existsSync } from 'node:fs';
import { test } from 'vitest';
import { python, pythonSamples } from './foreign-languages.ts';
import { describeSamples } from './stage.ts';

if (existsSync(python)) await describeSamples(await pythonSamples());
else test.skip('needs Python as `.ci/run` installs it');
