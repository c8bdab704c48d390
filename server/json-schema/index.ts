export { cached, compileInputSchema, reportedErrors } from './compile.ts';
export { type Estimate, estimate, isCheap } from './estimate.ts';
export { problemsOfLimits, problemsOfSchema } from './limits.ts';
export type { SchemaTask, SchemaTaskResult } from './tasks.ts';
