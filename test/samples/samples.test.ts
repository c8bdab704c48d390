import { curlSamples, describeSamples } from './stage.ts';

await describeSamples(await curlSamples());
