const jsonPath = (instead: string) =>
  `belongs to the query language JSONPath, which is not supported; ${instead}`;
const expression = (field: string) => jsonPath(`write a JSONata string in ${field}`);
const distributed = 'belongs to the distributed Map, which is not supported';

/** Fields that the language has and this platform has not, with what to do instead. */
export const unsupportedFields = new Map<string, string>([
  ['InputPath', jsonPath('read $states.input in expressions')],
  ['OutputPath', jsonPath('use Output')],
  ['ResultPath', jsonPath('use Output or Assign')],
  ['ResultSelector', jsonPath('use Output with $states.result')],
  ['Parameters', jsonPath('use Arguments, or ItemSelector in a Map')],
  ['Result', jsonPath('use Output')],
  ['ItemsPath', jsonPath('use Items')],
  ['SecondsPath', expression('Seconds')],
  ['TimestampPath', expression('Timestamp')],
  ['TimeoutSecondsPath', expression('TimeoutSeconds')],
  ['HeartbeatSecondsPath', expression('HeartbeatSeconds')],
  ['ErrorPath', expression('Error')],
  ['CausePath', expression('Cause')],
  ['MaxConcurrencyPath', expression('MaxConcurrency')],
  ['ToleratedFailureCountPath', expression('ToleratedFailureCount')],
  ['ToleratedFailurePercentagePath', expression('ToleratedFailurePercentage')],
  ['Variable', jsonPath('use Condition')],
  ['And', jsonPath('use Condition')],
  ['Or', jsonPath('use Condition')],
  ['Not', jsonPath('use Condition')],
  ['Iterator', 'is the old name of ItemProcessor'],
  ['ItemReader', distributed],
  ['ItemBatcher', distributed],
  ['ResultWriter', distributed],
  ['Label', distributed],
  ['Credentials', 'is not supported: tasks act for the execution, with no other credentials'],
]);

/** JSONPath's comparisons in a rule of a Choice: `NumericEquals`, `StringMatchesPath`, `IsPresent`. */
export const jsonPathComparison =
  /^((Boolean|Numeric|String|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals|Matches)(Path)?|Is(Null|Present|Boolean|Numeric|String|Timestamp))$/;
