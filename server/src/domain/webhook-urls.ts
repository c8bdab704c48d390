const longest = 2_000;

/**
 * Why an address cannot be a webhook's, after its name: `must be an http or https address`. Where it leads to is
 * found out when something is sent. The address may hold a secret: it is not repeated.
 */
export function problemOfWebhookUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (text.length > longest) return `must have at most ${longest} characters`;
  return undefined;
}
