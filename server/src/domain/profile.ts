/** The fields of a profile that can be changed. */
export interface ProfileTexts {
  firstName: string;
  lastName: string;
  title: string;
}

/** Maximum length of each field in code points, as in the contract. */
export const profileTextLimit = 100;

/**
 * Converts the given fields of a profile to Unicode NFC, as they are stored. A few characters have no composed form and
 * become longer, so a valid field can become too long.
 */
export function normalProfile(given: Partial<ProfileTexts>): {
  profile: Partial<ProfileTexts>;
  tooLong: (keyof ProfileTexts)[];
} {
  const profile: Partial<ProfileTexts> = {};
  const tooLong: (keyof ProfileTexts)[] = [];
  for (const field of ['firstName', 'lastName', 'title'] as const) {
    const text = given[field]?.normalize('NFC');
    if (text === undefined) continue;
    profile[field] = text;
    if ([...text].length > profileTextLimit) tooLong.push(field);
  }
  return { profile, tooLong };
}
