/** The parts of the output of `redocly score --format json` that are used here. */
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
  /** The share of the criterion in an operation's 100 points, which Redocly 2.77 does not report. */
  weight: number;
  title: string;
  because(metrics: Metrics, depth: number): string;
  /** How to win the points back, or why they are lost on purpose. */
  advice: string;
};

export const criteria = {
  parameterSimplicity: {
    weight: 10,
    title: 'Few parameters',
    because: ({ parameterCount }) => plural(parameterCount, 'parameter'),
    advice: 'Each parameter costs a point; remove those that no client needs.',
  },
  schemaSimplicity: {
    weight: 10,
    title: 'Flat schemas',
    because: ({ maxRequestSchemaDepth, maxResponseSchemaDepth, polymorphismCount }) =>
      `${Math.max(maxRequestSchemaDepth, maxResponseSchemaDepth)} levels deep${
        polymorphismCount > 0 ? `, ${plural(polymorphismCount, 'alternative')}` : ''
      }`,
    advice:
      'Each level of nesting costs 1.25 points; refer to objects by identifier instead of nesting them.',
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
    advice: 'Describe every operation, parameter and property, where they are declared.',
  },
  constraintClarity: {
    weight: 12,
    title: 'Bounds',
    because: ({ constraintCount, totalSchemaProperties }) =>
      `${plural(constraintCount, 'constraint')} for ${plural(totalSchemaProperties, 'property')}`,
    advice: 'Give properties a format, a pattern, an enum or bounds: at least one for each.',
  },
  exampleCoverage: {
    weight: 18,
    title: 'Examples',
    because: ({ requestBodyPresent, requestExamplePresent, responseExamplePresent }) =>
      [
        requestBodyPresent && !requestExamplePresent ? 'no request example' : '',
        responseExamplePresent ? '' : 'no response example',
      ]
        .filter(Boolean)
        .join(', '),
    advice: 'Add an example to the request and to the response; a response without a body cannot have one.',
  },
  errorClarity: {
    weight: 12,
    title: 'Structured errors',
    because: ({ structuredErrorResponseCount, totalErrorResponses }) =>
      `${structuredErrorResponseCount} of ${plural(totalErrorResponses, 'error response')} have a schema`,
    advice: 'Use the shared error object for every error response.',
  },
  dependencyClarity: {
    weight: 10,
    title: 'Few calls before',
    because: (_, depth) => `needs values from up to ${plural(depth, 'call')}`,
    advice:
      'An identifier that another operation returns costs points: the price of resources with identifiers.',
  },
  identifierClarity: {
    weight: 5,
    title: 'Clear names',
    because: ({ ambiguousIdentifierCount }) => plural(ambiguousIdentifierCount, 'ambiguous parameter name'),
    advice: 'Name an identifier after what it identifies: `userId`, not `id`.',
  },
  polymorphismClarity: {
    weight: 5,
    title: 'Clear alternatives',
    because: ({ polymorphismCount }) => plural(polymorphismCount, 'alternative'),
    advice: 'Give alternatives a discriminator, or merge them into one schema.',
  },
} satisfies Record<string, Explanation>;

function plural(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function count(number: number, noun: string, rest: string): string {
  return number > 0 ? `${plural(number, noun)} ${rest}` : '';
}
