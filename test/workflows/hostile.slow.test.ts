import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../server/asl/index.ts';
import type { Json } from '../../server/json/index.ts';
import type { StepRequest, StepResult } from '../../server/src/workflows/steps/step.ts';
import { openStepper, SlowStepError } from '../../server/src/workflows/steps/stepper.ts';
import { definitionOf } from '../asl/run.ts';
import { hostileExpressions } from '../support/hostile/expressions.ts';
import { fiftyMs, longestStretch } from '../support/main-thread.ts';
import { scaledTimeout } from '../support/timeout.ts';

const documents = new Map<string, Definition>();
const stepper = openStepper(async (revisionId) => documents.get(revisionId) as Definition);
afterAll(() => stepper.close());

const now = new Date('2027-03-01T09:00:00Z');
const requestOf = (state: string, input: Json): StepRequest => ({
  scope: [],
  frame: JSON.stringify({ state, input, variables: {}, outerVariables: {}, enteredAt: '', retries: [] }),
  outcome: undefined,
  execution: {
    id: 'execution-1',
    definitionId: 'definition-1',
    name: 'Test',
    parameters: '{}',
    createdAt: now,
    resultOrigin: {},
    locale: 'en',
    recordId: null,
  },
  taskToken: 'token',
  label: '',
  now,
});

let revisions = 0;
const revisionOf = (states: Record<string, object>) => {
  const revisionId = `revision-${++revisions}`;
  documents.set(revisionId, definitionOf(states));
  return revisionId;
};

/** Runs the first state of a definition as the engine does: in the slow lane if the fast one stops it. */
async function take(states: Record<string, object>, input: Json = {}): Promise<StepResult> {
  const [state = ''] = Object.keys(states);
  const place = { revisionId: revisionOf(states), state };
  const request = requestOf(state, input);
  try {
    return await stepper.take(place, request, 'fast');
  } catch (error) {
    if (!(error instanceof SlowStepError)) throw error;
    return stepper.take(place, request, 'slow');
  }
}

const evaluated = (expression: string, input: Json = {}) =>
  take({ S: { Type: 'Pass', Output: { value: `{% ${expression} %}` }, End: true } }, input);

describe('a hostile expression fails its state, and never occupies this process for 50 ms', () => {
  let bound: number;
  // The first steps load code and start the workers.
  beforeAll(async () => {
    const warmUp = Array.from({ length: 4 }, () => evaluated("$pad('', 2000000, 'ab')"));
    await Promise.all([...warmUp, evaluated('$sum([1, 2])')]);
    bound = fiftyMs();
  });

  describe.concurrent('with States.QueryEvaluationError or States.DataLimitExceeded', () => {
    test.each(hostileExpressions)(
      '%s',
      async (_, expression) => {
        let result: StepResult | undefined;
        const longest = await longestStretch(async () => {
          result = await evaluated(expression);
        });
        expect(result?.action).toMatchObject({
          kind: 'fail',
          failure: { error: expect.stringMatching(/^States\.(QueryEvaluationError|DataLimitExceeded)$/) },
        });
        expect(longest).toBeLessThan(bound);
      },
      scaledTimeout(120_000),
    );
  });
});
