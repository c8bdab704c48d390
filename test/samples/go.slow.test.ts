import { test } from 'vitest';
import { go } from '../support/foreign-toolchains.ts';
import { goSamples } from './foreign-languages.ts';
import { describeSamples } from './stage.ts';

if (go) await describeSamples(await goSamples());
else test.skip('needs Go');
