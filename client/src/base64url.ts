export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws {DOMException} if the text is not base64url */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** @throws {DOMException} if the text is not base64 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
