import { expect, test } from 'vitest';
import { normalProfile } from '../../server/src/domain/profile.ts';

const profile = { firstName: 'Zoe\u0308', lastName: '李', title: '' };

test('a profile is stored in Unicode NFC', () => {
  expect(normalProfile(profile)).toEqual({ profile: { ...profile, firstName: 'Zoë' }, tooLong: [] });
  expect(normalProfile({ title: '' })).toEqual({ profile: { title: '' }, tooLong: [] });
});

test('a field that is too long after normalization to NFC is reported by its name', () => {
  const long = (letter: string) => normalProfile({ ...profile, lastName: letter.repeat(100) });
  expect(long('🦉')).toMatchObject({ profile: { lastName: '🦉'.repeat(100) }, tooLong: [] });
  expect(long('\u0958')).toMatchObject({ tooLong: ['lastName'] });
});
