import { describe } from 'vitest';
import { compareWithStock } from './validator/compare.ts';

// All other operations: validator.slow.test.ts.
describe('every variant is judged as by express-openapi-validator', () => compareWithStock('sample'));
