import { describe } from 'vitest';
import { compareWithStock } from './validator/compare.ts';

// All other operations: validator.slow.test.ts.
describe('the validator accepts and refuses every variant as express-openapi-validator does', () =>
  compareWithStock('sample'));
