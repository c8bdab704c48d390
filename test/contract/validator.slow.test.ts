import { describe } from 'vitest';
import { compareWithStock } from './validator/compare.ts';

describe('every variant is judged as by express-openapi-validator', () => compareWithStock('others'));
