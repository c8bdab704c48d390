/** The fields of a profile that can be changed. */
export interface ProfileTexts {
  firstName: string;
  lastName: string;
  title: string;
}

/** Maximum length of each field in code points, as in the contract. */
export const profileTextLimit = 100;

/**
 * Converts a profile to Unicode NFC, as it is stored. A few characters have no composed form and become longer, so
 * a valid field can become too long.
 */
export function normalProfile(
  given: ProfileTexts,
): { profile: ProfileTexts } | { tooLong: keyof ProfileTexts } {
  const profile = {
    firstName: given.firstName.normalize('NFC'),
    lastName: given.lastName.normalize('NFC'),
    title: given.title.normalize('NFC'),
  };
  for (const field of ['firstName', 'lastName', 'title'] as const) {
    if ([...profile[field]].length > profileTextLimit) return { tooLong: field };
  }
  return { profile };
}
