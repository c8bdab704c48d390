/**
 * One address of RFC 5321, section 4.1.2, without the forms that nobody uses (quoted, with comments, an
 * address literal): none of its characters can end a header or begin another address. Any script.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[^\s\p{C}"(),:;<>@[\\\]/?#%]+$/u.test(text);
}
