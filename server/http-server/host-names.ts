/** A host name or an IP address as in a URL, without a port; undefined for any other text. */
export function hostNameIn(text: string): string | undefined {
  const isName = /^(?:[^\s/\\?#@*:[\]]+|\[[\da-f:.]+\])$/i.test(text) && URL.canParse(`http://${text}`);
  return isName ? withoutRoot(new URL(`http://${text}`).hostname) : undefined;
}

/** An origin as browsers send it, such as `https://app.example` or `capacitor://localhost`; undefined for any other text. */
export function originIn(text: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/\\?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin } = new URL(text);
  return origin === 'null' ? text.toLowerCase().replace(/\/$/, '') : origin;
}

/** `localhost.` is `localhost`, with the root of DNS. */
export const withoutRoot = (name: string) => name.replace(/\.$/, '');
