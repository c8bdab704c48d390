import { describe, expect, test } from 'vitest';
import { convertDefinition } from '../../server/asl/convert/convert.ts';
import type { Json } from '../../server/json/index.ts';
import { convert, onAws, run } from './converted.ts';

const input = { id: 7, keep: 'x', beat: 2 };
const sqs = 'arn:aws:states:::sqs:sendMessage';

describe('a JSONata state', () => {
  const jsonata = (fields: object) => ({
    QueryLanguage: 'JSONata',
    ...onAws({ T: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', ...fields, End: true } }),
  });
  const response = { statusCode: 200, body: { a: 1 } };

  test.each<[what: string, fields: object, given: Json, output: Json]>([
    ['without Arguments and Output', {}, input, { Payload: { a: 1 }, StatusCode: 200 }],
    [
      'that reads the result',
      {
        Arguments: { FunctionName: 'f', Payload: { id: '{% $states.input.id %}' } },
        Output: { a: '{% $states.result.Payload.a + $states.result.StatusCode %}' },
      },
      { id: 7 },
      { a: 201 },
    ],
    ['that returns the result', { Output: '{% $states.result.Payload %}' }, input, { a: 1 }],
  ])('%s has the task of the platform', async (_, fields, given, output) => {
    const { calls, ending } = await run(jsonata(fields), input, { tasks: { T: [{ result: response }] } });
    expect(calls).toMatchObject([{ resource: 'wrp:http:call', arguments: { body: given } }]);
    expect(ending).toEqual({ output });
  });

  describe.each<[what: string, more: object]>([
    ['with a task of AWS', { B: { Type: 'Task', Resource: sqs, QueryLanguage: 'JSONata', End: true } }],
    ['without one', { B: { Type: 'Succeed' } }],
  ])('%s', (_, more) => {
    test.each<[fields: object, pointer: string, message: RegExp]>([
      [
        { Output: { r: ["{% 'a' & $states.context.Execution.RoleArn %}"] } },
        '/Output/r/0',
        /^change the expression: \$states\.context\.Execution has no field ‘RoleArn’; the fields here are Id, /,
      ],
      [
        { Assign: { a: '{% $states.context.Region %}' } },
        '/Assign/a',
        /\$states\.context has no field ‘Region’/,
      ],
      [{ Output: "{% $eval('1') %}" }, '/Output', /\$eval is not available; use \$parse/],
      [{ Output: '{% $states.reslt %}' }, '/Output', /\$states has no field ‘reslt’/],
    ])('that reads or calls what does not exist here is reported: %j', (fields, pointer, message) => {
      const document = {
        QueryLanguage: 'JSONata',
        ...onAws({ A: { Type: 'Pass', ...fields, Next: 'B' }, ...more }),
      };
      const { findings } = convertDefinition(document);
      expect(findings.filter((each) => each.pointer.startsWith('/States/A'))).toEqual([
        { kind: 'todo', pointer: `/States/A${pointer}`, message: expect.stringMatching(message) },
      ]);
    });
  });

  test('of a branch is reported once, with its place', () => {
    const inner = { A: { Type: 'Pass', Output: '{% $states.context.Execution.RoleArn %}', End: true } };
    const document = {
      QueryLanguage: 'JSONata',
      ...onAws({
        P: { Type: 'Parallel', Branches: [onAws(inner)], Next: 'B' },
        B: { Type: 'Task', Resource: sqs, Next: 'E' },
        E: { Type: 'Fail' },
      }),
    };
    expect(convert(document).findings.filter(({ message }) => message.includes('RoleArn'))).toMatchObject([
      { pointer: '/States/P/Branches/0/States/A/Output' },
    ]);
  });

  test.each<[what: string, fields: object, pointers: string[]]>([
    ['Output', { Output: { v: '{% $states.result.ExecutedVersion %}' } }, ['/Output']],
    ['Assign', { Assign: { v: '{% $states.result.SdkHttpMetadata.HttpStatusCode %}' } }, ['/Assign']],
    [
      'nothing',
      { Output: '{% $states.result.Payload.ExecutedVersion %}', Assign: { v: '{% $states.result %}' } },
      [],
    ],
  ])('that reads a field that the result here lacks has it reported at %s', (_, fields, pointers) => {
    const found = convert(jsonata(fields)).findings.filter(({ message }) =>
      message.includes('no such field'),
    );
    expect(found).toMatchObject(
      pointers.map((pointer) => ({ kind: 'todo', pointer: `/States/T${pointer}` })),
    );
  });

  const executionInput = '$states.context.Execution.Input';
  test.each<[what: string, expression: string, output: Json]>([
    ['a field', `${executionInput}.id`, 7],
    ['the whole', executionInput, input],
    ['two fields', `${executionInput}.keep & ${executionInput}.id`, 'x7'],
    ['a field that is computed', `$lookup(${executionInput}, 'beat')`, 2],
    ['a field that the platform has', `${executionInput}.parameters.id`, 7],
  ])('that reads %s of the input of the execution reads its parameters', async (_, expression, output) => {
    const state = { QueryLanguage: 'JSONata', Type: 'Pass', Output: { output: `{% ${expression} %}` } };
    const document = onAws({ A: { ...state, Next: 'B' }, B: { Type: 'Succeed' } });
    expect((await run(document, input)).ending).toEqual({ output: { output } });
    expect(convert(document).findings).toEqual([]);
  });

  test('reads the parameters in each of its fields, and nowhere else', async () => {
    const id = `{% ${executionInput}.id %}`;
    const document = onAws({
      A: {
        QueryLanguage: 'JSONata',
        Type: 'Map',
        Items: [id],
        ItemSelector: { id },
        ItemProcessor: onAws({
          I: { Type: 'Pass', Result: { text: id }, Next: 'J' },
          J: {
            Type: 'Pass',
            QueryLanguage: 'JSONata',
            Output: { id, text: '{% $states.input.text %}' },
            End: true,
          },
        }),
        Assign: { id },
        Next: 'C',
      },
      C: {
        QueryLanguage: 'JSONata',
        Type: 'Choice',
        Choices: [
          {
            Condition: `{% ${executionInput}.id = 7 %}`,
            Output: { id, items: '{% $states.input %}' },
            Next: 'F',
          },
        ],
      },
      F: {
        QueryLanguage: 'JSONata',
        Type: 'Parallel',
        Branches: [onAws({ G: { Type: 'Fail', Error: 'E' } })],
        Catch: [{ ErrorEquals: ['E'], Output: { id, was: '{% $states.input.items %}' }, Next: 'H' }],
        Next: 'H',
      },
      H: { Type: 'Succeed' },
    });
    const { ending, variables } = await run(document, input);
    expect(ending).toEqual({ output: { id: 7, was: [{ id: 7, text: id }] } });
    expect(variables).toEqual({ id: 7 });
  });
});
