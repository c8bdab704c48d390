export { type InputProblem, type InputSchemas, inputSchemas, openSchemaPool, problemsOf } from './checks.ts';
export { compileInputSchema, reportedErrors } from './compile.ts';
export { problemsOfLimits, problemsOfSchema } from './limits.ts';
