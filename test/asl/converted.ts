import { type ConversionFinding, convertDefinition } from '../../server/asl/convert/convert.ts';
import type { Definition } from '../../server/asl/definition.ts';
import { validateDefinition } from '../../server/asl/validate.ts';
import type { Json } from '../../server/json/index.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { type Circumstances, type Ending, execute, type Trace } from './run.ts';

/** A definition of AWS Step Functions in JSONPath, its first state first. */
export const onAws = (states: Record<string, object>, more = {}) => ({
  StartAt: Object.keys(states)[0],
  States: states,
  ...more,
});

/** The conversion of a definition, which must be valid. */
export function convert(document: object): { definition: Definition; findings: ConversionFinding[] } {
  const { definition, findings } = convertDefinition(document);
  const checked = validateDefinition(JSON.parse(JSON.stringify(definition)), supportedResources);
  if ('problems' in checked)
    throw new Error(JSON.stringify({ problems: checked.problems, definition }, null, 1));
  return { definition: checked.definition, findings };
}

/** Runs a converted definition with the input that it would have on AWS. */
export async function run(
  document: object,
  input: Json,
  circumstances: Omit<Circumstances, 'input'> = {},
): Promise<Trace & { ending: Ending }> {
  return await execute(convert(document).definition, { ...circumstances, input: { parameters: input } });
}

/** The output of a Pass that ends, with these fields. */
export async function passed(fields: object, input: Json): Promise<Ending> {
  return (await run(onAws({ P: { Type: 'Pass', ...fields, End: true } }), input)).ending;
}

/** The value of a path or an intrinsic function. */
export async function queryValue(query: string, input: Json): Promise<unknown> {
  const ending = await passed({ Parameters: { 'value.$': query } }, input);
  return 'output' in ending ? (ending.output as { value: Json }).value : ending;
}
