import { describe } from 'vitest';
import { compareWithStock } from './validator/compare.ts';

describe('the validator accepts and refuses every variant as express-openapi-validator does', () =>
  compareWithStock('others'));
