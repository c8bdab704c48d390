import { directoryWith } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';

/** A definition, and test cases that pass. */
export const claims = `QueryLanguage: JSONata
StartAt: Fetch
States:
  Fetch:
    Type: Task
    Resource: wrp:http:call
    Arguments: { url: "{% 'https://claims.example/' & $states.input.parameters.id %}" }
    Retry: [{ ErrorEquals: [Http.Status.503] }]
    Assign: { amount: '{% $states.result.body.amount %}' }
    Next: Large?
  Large?:
    Type: Choice
    Choices:
      - { Condition: '{% $amount > 1000 %}', Next: Ask }
    Default: Pay
  Ask: { Type: Task, Resource: 'wrp:callback:wait', Arguments: {}, TimeoutSeconds: 3600, Next: Pay }
  Pay: { Type: Succeed, Output: { paid: '{% $amount %}' } }
`;
export const sound = `cases:
  a small claim:
    input: { id: C-1 }
    mocks:
      Fetch: [{ error: Http.Status.503 }, { output: { body: { amount: 10 } } }]
    expect:
      path: [Fetch, Large?, Pay]
      waited: 1
      output: { paid: 10 }
  a state alone:
    state: Large?
    variables: { amount: 1001 }
    expect: { next: Ask }
`;

/** Runs the command on claims.asl.yaml and its tests. */
export async function wrpTest(tests: string | undefined, args: string[] = [], definition = claims) {
  const directory = await directoryWith({
    'claims.asl.yaml': definition,
    ...(tests !== undefined && { 'claims.test.yaml': tests }),
  });
  return runWrp(['definition', 'test', 'claims.asl.yaml', ...args], { directory });
}
