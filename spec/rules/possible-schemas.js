const bounds = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
];

/**
 * A value can satisfy each schema, and the schema says all of it: its bounds are in order, its `pattern` is a regular
 * expression, its `enum` has values, an array has `items`, and alternatives that are objects have a `discriminator`, so
 * that clients know which of them they have.
 */
export function PossibleSchemas() {
  return {
    Schema(schema, { report, location, resolve }) {
      const check = (part, at) => {
        for (const [keyword, message] of faultsOf(part, (one) => resolve(one).node ?? one))
          report({ message, location: at.child([keyword]).key() });
      };
      check(schema, location);
      // Of a property with a `$ref`, only the target is visited.
      for (const [name, { $ref, ...beside } = {}] of Object.entries(schema.properties ?? {}))
        if ($ref) check(beside, location.child(['properties', name]));
    },
  };
}

/** @returns {[keyword: string, message: string][]} */
function faultsOf(schema, target) {
  const found = bounds
    .filter(([least, most]) => schema[least] > schema[most])
    .map(([least, most]) => [
      least,
      `\`${least}\` is above \`${most}\`, so no value is possible: exchange or change them.`,
    ]);
  const problem = expressionProblem(schema.pattern);
  if (problem) found.push(['pattern', `\`pattern\` is not a regular expression: ${problem}.`]);
  if (Array.isArray(schema.enum) && schema.enum.length === 0)
    found.push(['enum', 'The `enum` allows no value: list the values.']);
  if ([schema.type].flat().includes('array') && !schema.items && !schema.prefixItems)
    found.push(['type', 'Say what the array contains: add `items` beside `type`.']);
  for (const keyword of ['oneOf', 'anyOf']) {
    const alternatives = (Array.isArray(schema[keyword]) ? schema[keyword] : []).map(target);
    if (alternatives.filter(({ type }) => type === 'object').length > 1 && !schema.discriminator)
      found.push([
        keyword,
        `Say which property tells the alternatives apart: add a \`discriminator\` beside \`${keyword}\`.`,
      ]);
  }
  return found;
}

function expressionProblem(pattern) {
  if (typeof pattern !== 'string') return undefined;
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return error.message.replace(/^Invalid regular expression: .*: /s, '');
  }
}
