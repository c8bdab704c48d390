import { describeIdentifiers } from './identifiers.ts';
import { curlSamples, describeSamples } from './stage.ts';

const samples = await curlSamples();
await describeSamples(samples);
await describeIdentifiers(samples);
