/**
 * A mailbox of RFC 5321, section 4.1.2, without the unused forms (quoted, with comments, address literals): no
 * character can end a header or start another address. All scripts are allowed.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]/?#%]+$/u.test(text);
}
