import { describe } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { type SampleStage, sampleStage } from './stage.ts';

// One platform for all: to start one takes longer than its samples.
const stage = await sampleStage();
const resources = [...new Set(Object.values(operations).map(({ resource }) => resource))];

describe.each(resources)('the samples of %s', async (resource) => {
  const [samples] = Object.values(await import(`./${resource}.ts`)) as ((
    stage: SampleStage,
  ) => Promise<void>)[];
  await samples?.(stage);
});
