/** What `redocly score --format json` gives, as far as it is read here. */
export type Report = {
  agentReadiness: number;
  discoverability: number;
  operationScores: Record<string, { agentReadiness: number; subscores: Record<Criterion, number> }>;
  rawMetrics: { operations: Record<string, Metrics> };
  dependencyDepths: Record<string, number>;
};

export type Metrics = {
  path: string;
  method: string;
  operationDescriptionPresent: boolean;
  parameterCount: number;
  paramsWithDescription: number;
  ambiguousIdentifierCount: number;
  maxRequestSchemaDepth: number;
  maxResponseSchemaDepth: number;
  totalSchemaProperties: number;
  schemaPropertiesWithDescription: number;
  constraintCount: number;
  polymorphismCount: number;
  requestBodyPresent: boolean;
  requestExamplePresent: boolean;
  responseExamplePresent: boolean;
  structuredErrorResponseCount: number;
  totalErrorResponses: number;
};

export type Criterion = keyof typeof criteria;

type Explanation = {
  /** How much of an operation's 100 points the criterion is. Redocly 2.77 does not report it. */
  weight: number;
  title: string;
  because(metrics: Metrics, depth: number): string;
  /** What would win the points back; nothing where the points are the price of something that is wanted. */
  mend: string;
};

export const criteria = {
  parameterSimplicity: {
    weight: 10,
    title: 'Few parameters',
    because: ({ parameterCount }) => plural(parameterCount, 'parameter'),
    mend: 'Each parameter costs a point; drop what no client needs.',
  },
  schemaSimplicity: {
    weight: 10,
    title: 'Flat schemas',
    because: ({ maxRequestSchemaDepth, maxResponseSchemaDepth, polymorphismCount }) =>
      `${Math.max(maxRequestSchemaDepth, maxResponseSchemaDepth)} levels deep${
        polymorphismCount > 0 ? `, ${plural(polymorphismCount, 'alternative')}` : ''
      }`,
    mend: 'Each level of nesting costs 1.25 points; name objects by their identifier rather than nest them.',
  },
  documentationQuality: {
    weight: 18,
    title: 'Descriptions',
    because: ({
      operationDescriptionPresent,
      parameterCount,
      paramsWithDescription,
      totalSchemaProperties,
      schemaPropertiesWithDescription,
    }) =>
      [
        operationDescriptionPresent ? '' : 'no description',
        count(parameterCount - paramsWithDescription, 'parameter', 'without one'),
        count(totalSchemaProperties - schemaPropertiesWithDescription, 'property', 'without one'),
      ]
        .filter(Boolean)
        .join(', '),
    mend: 'Describe every operation, parameter and property, where it is declared.',
  },
  constraintClarity: {
    weight: 12,
    title: 'Bounds',
    because: ({ constraintCount, totalSchemaProperties }) =>
      `${plural(constraintCount, 'constraint')} for ${plural(totalSchemaProperties, 'property')}`,
    mend: 'Give properties a format, a pattern, an enum or bounds: at least one for each.',
  },
  exampleCoverage: {
    weight: 18,
    title: 'Examples',
    because: ({ requestBodyPresent, requestExamplePresent, responseExamplePresent }) =>
      [
        requestBodyPresent && !requestExamplePresent ? 'no example of the request' : '',
        responseExamplePresent ? '' : 'no example of the answer',
      ]
        .filter(Boolean)
        .join(', '),
    mend: 'Add an example to the request and to the answer; an answer without a body cannot have one.',
  },
  errorClarity: {
    weight: 12,
    title: 'Structured errors',
    because: ({ structuredErrorResponseCount, totalErrorResponses }) =>
      `${structuredErrorResponseCount} of ${plural(totalErrorResponses, 'error answer')} have a schema`,
    mend: 'Answer every failure with the shared error object.',
  },
  dependencyClarity: {
    weight: 10,
    title: 'Few calls before it',
    because: (_, depth) => `up to ${plural(depth, 'call')} give what it asks for`,
    mend: 'An identifier that another operation gives costs points; it is the price of resources with identifiers.',
  },
  identifierClarity: {
    weight: 5,
    title: 'Clear names',
    because: ({ ambiguousIdentifierCount }) => plural(ambiguousIdentifierCount, 'ambiguous parameter name'),
    mend: 'Call an identifier by what it identifies: `userId`, not `id`.',
  },
  polymorphismClarity: {
    weight: 5,
    title: 'Clear alternatives',
    because: ({ polymorphismCount }) => plural(polymorphismCount, 'alternative'),
    mend: 'Give alternatives a discriminator, or make one schema of them.',
  },
} satisfies Record<string, Explanation>;

function plural(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function count(number: number, noun: string, rest: string): string {
  return number > 0 ? `${plural(number, noun)} ${rest}` : '';
}
