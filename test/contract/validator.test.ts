import { describe } from 'vitest';
import { compareWithStock } from './validator/compare.ts';

// All variants: validator.slow.test.ts.
describe('a sample of variants is judged as by express-openapi-validator', () => compareWithStock(12));
