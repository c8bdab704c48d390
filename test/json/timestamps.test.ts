import { expect, test } from 'vitest';
import { parseTimestamp } from '../../server/json/index.ts';

test.each([
  ['2026-12-01T12:00:00Z', '2026-12-01T12:00:00.000Z'],
  ['2026-12-01t12:00:00.5z', '2026-12-01T12:00:00.500Z'],
  ['2026-12-01T12:00:00.123456789+02:00', '2026-12-01T10:00:00.123Z'],
  ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T01:59:60.250+02:00', '2027-01-01T00:00:00.250Z'],
])('parseTimestamp reads %s as %s', (text, moment) => {
  expect(parseTimestamp(text).toISOString()).toBe(moment);
});
