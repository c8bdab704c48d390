const longest = 2_000;

/**
 * Why a URL is not allowed for webhooks, such as `must be an http or https address`. The address that it resolves
 * to is checked when something is sent. The URL may contain a secret, so the message does not repeat it.
 */
export function problemOfWebhookUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not have a fragment';
  if (text.length > longest) return `must have at most ${longest} characters`;
  return undefined;
}
