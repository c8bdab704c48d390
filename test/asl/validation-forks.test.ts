import { describe, test } from 'vitest';
import { ends, expectRefused, having, inner, type Refused } from './refusals.ts';

describe('validateDefinition refuses a wrong Parallel or Map', () => {
  test.each<Refused>([
    [
      'a Parallel without branches',
      having({ Type: 'Parallel', Branches: [] }),
      '/States/S/Branches',
      /at least one branch/,
    ],
    [
      'a way out of a branch',
      having({
        Type: 'Parallel',
        Branches: [inner({ A: { Type: 'Pass', Next: 'E' }, B: { Type: 'Succeed' } })],
      }),
      '/States/S/Branches/0/States/A/Next',
      /no state ‘E’/,
    ],
    [
      'a name that is used in a branch again',
      having({ Type: 'Parallel', Branches: [inner(ends)] }),
      '/States/E',
      /unique in the whole definition/,
    ],
    ['a Map without ItemProcessor', having({ Type: 'Map' }), '/States/S', 'ItemProcessor is missing'],
    [
      'Items that are an object',
      having({ Type: 'Map', Items: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/Items',
      /array or a JSONata string/,
    ],
    [
      'a percentage above 100',
      having({
        Type: 'Map',
        ToleratedFailurePercentage: 101,
        ItemProcessor: inner({ I: { Type: 'Succeed' } }),
      }),
      '/States/S/ToleratedFailurePercentage',
      /to 100/,
    ],
    [
      'the distributed Map',
      having({
        Type: 'Map',
        ItemProcessor: {
          ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
          ...inner({ I: { Type: 'Succeed' } }),
        },
      }),
      '/States/S/ItemProcessor/ProcessorConfig',
      /distributed Map is not supported/,
    ],
    [
      'a ProcessorConfig without a Mode',
      having({
        Type: 'Map',
        ItemProcessor: { ProcessorConfig: {}, ...inner({ I: { Type: 'Succeed' } }) },
      }),
      '/States/S/ItemProcessor/ProcessorConfig',
      /^Must be {"Mode": "INLINE"}/,
    ],
    [
      'ItemReader',
      having({ Type: 'Map', ItemReader: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ItemReader',
      /distributed Map/,
    ],
    [
      'ItemBatcher',
      having({ Type: 'Map', ItemBatcher: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ItemBatcher',
      /distributed Map/,
    ],
    [
      'ResultWriter',
      having({ Type: 'Map', ResultWriter: {}, ItemProcessor: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/ResultWriter',
      /distributed Map/,
    ],
    [
      'Iterator',
      having({ Type: 'Map', Iterator: inner({ I: { Type: 'Succeed' } }) }),
      '/States/S/Iterator',
      /ItemProcessor/,
    ],
  ])('%s', expectRefused);
});
