import { expect, test } from 'vitest';
import type { Machine } from '../../server/asl/actions.ts';
import type { Definition } from '../../server/asl/definition.ts';
import { openMachine } from '../../server/asl/machine.ts';
import { validateDefinition } from '../../server/asl/validate.ts';
import { textProblem } from '../../server/json/index.ts';
import type { NewThread } from '../../server/src/store/forks.ts';
import { type StepOutcome, type StepRequest, takeStep } from '../../server/src/workflows/steps/step.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { type Choices, choicesOf, definition, json } from './generator.ts';
import { start } from './run.ts';

const maxSteps = 60;
const maxThreads = 3;

interface Run {
  machine: Machine;
  choices: Choices;
  steps: number;
}

type Thread = Pick<StepRequest, 'scope' | 'frame' | 'label'>;

/** What a task or another system may return, as the platform stores it. */
function taskOutcome(choices: Choices): StepOutcome {
  const response = { statusCode: 409, headers: { 'retry-after': '1' }, body: { code: 'taken' } };
  return choices.of<() => StepOutcome>([
    () => ({ kind: 'succeeded', result: json(choices) }),
    () => ({
      kind: 'response',
      result: { statusCode: 200, headers: {}, body: choices.of(['{"a":1}', '{', '']) },
    }),
    () => ({ kind: 'failed', failure: { error: 'Http.Status.409', cause: '', response } }),
    () => ({ kind: 'failed', failure: { error: 'Mine', cause: 'x' } }),
    () => ({ kind: 'stopped', failure: { error: 'States.QueryEvaluationError', cause: 'time' } }),
  ])();
}

/** Runs a thread to its end, to the maximum of steps, or until it fails. @throws for an internal error */
async function runThread(run: Run, { scope, frame, label }: Thread): Promise<StepOutcome | undefined> {
  let checkpoint = frame;
  let outcome: StepRequest['outcome'];
  while (run.steps++ < maxSteps) {
    const execution = {
      id: '1',
      parameters: '{"a":"1","list":[2,1]}',
      createdAt: start,
      resultOrigin: {},
      locale: 'en',
      recordId: null,
      definitionId: '2',
      name: 'generated',
    };
    const request = { scope, frame: checkpoint, outcome, execution, taskToken: 't', label, now: start };
    const { action, entry, stack } = await takeStep(run.machine, request);
    expect(stack).toBeUndefined();
    expectStorable({ action, detail: entry.detail });
    if ('frame' in action) checkpoint = action.frame;
    outcome = undefined;
    switch (action.kind) {
      case 'end':
        return { kind: 'succeeded', result: JSON.parse(action.output) };
      case 'fail':
        return { kind: 'failed', failure: action.failure };
      case 'wait':
        expect(action.until.getTime()).not.toBeNaN();
        outcome = { kind: 'elapsed' };
        break;
      case 'retry':
        expect(action.at.getTime()).not.toBeNaN();
        break;
      case 'task':
        // A stored outcome is text.
        outcome = JSON.stringify(taskOutcome(run.choices));
        break;
      case 'fork':
        outcome = await runFork(run, JSON.parse(action.threads));
    }
    if (outcome === undefined && action.kind === 'fork') return undefined;
  }
  return undefined;
}

async function runFork(run: Run, threads: NewThread[]): Promise<StepOutcome | undefined> {
  const results = [];
  for (const { scope, frame, label } of threads.slice(0, maxThreads)) {
    const ended = await runThread(run, { scope, frame: JSON.stringify(frame), label });
    if (ended?.kind !== 'succeeded') return ended;
    results.push(ended.result);
  }
  return { kind: 'succeeded', result: results };
}

/** PostgreSQL refuses NUL and lone surrogates, in the text of JSON too. */
function expectStorable(value: unknown): void {
  if (typeof value === 'string') {
    expect(textProblem(value)).toBeUndefined();
    expect(value).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      expectStorable(key);
      expectStorable(inner);
    }
  }
}

test('a definition that passes the check never fails with an internal error', async () => {
  const kinds = { accepted: 0, refused: 0 };
  for (let seed = 1; seed <= 300; seed++) {
    const choices = choicesOf(seed);
    const document = definition(choices);
    const checked = validateDefinition(document, supportedResources);
    kinds['problems' in checked ? 'refused' : 'accepted'] += 1;
    if ('problems' in checked) continue;
    const machine = openMachine(document as unknown as Definition, { random: () => 0.5 });
    await runThread({ machine, choices, steps: 0 }, { scope: [], frame: null, label: '' }).catch(
      (error: unknown) => {
        throw new Error(`Seed ${seed}: ${JSON.stringify(document)}`, { cause: error });
      },
    );
  }
  // Most are worth running, and some show that the check refuses something.
  expect(kinds.accepted).toBeGreaterThan(150);
  expect(kinds.refused).toBeGreaterThan(30);
});
