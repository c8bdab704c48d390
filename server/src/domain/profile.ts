/** What can be changed of a user's profile. */
export interface ProfileTexts {
  firstName: string;
  lastName: string;
  title: string;
}

/** Characters (code points) of each text at most, as the contract has it. */
export const profileTextLimit = 100;

/**
 * A profile in Unicode NFC, as it is kept. A few letters have no composed form and become longer, so that a
 * text of an allowed length can be too long to be kept.
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
