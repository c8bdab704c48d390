/**
 * What the published client does, in plain JavaScript for any runtime: Node, Deno, Bun and browsers walk through the
 * same. `journey` gives what it saw; whoever runs it says what that must be.
 */
import * as wrp from '@wrp/client';
import { webhookSigner } from '@wrp/client/testing';

/** What each step must give, in every runtime. */
export const expected = {
  users: true,
  signedIn: true,
  refused: 'NotFoundError user_not_found true',
  unauthorized: 'UnauthorizedError credentials_invalid',
  unreachable: 'ConnectionError',
  timeout: 'TimeoutError',
  aborted: 'The user left.',
  replaced: true,
  bytes: 'Prüfbericht.txt text/plain 3000 true',
  stream: 'stream.txt text/plain 3000',
  progress: '3000 of 3000',
  misfit: 'RangeError TypeError',
  tags: 'note, Ü',
  range: 'ß',
  result: '2026-0147',
  webhook: 'user.mfa_reset',
  forged: 'signature_wrong',
};

const text = `Stoß${'e'.repeat(2995)}`;

/** @param {Record<string, string>} given the addresses and identifiers that snippets find in their environment */
export async function journey(given) {
  const { BASE_URL: baseUrl, TOKEN: token, API_KEY: key, API_SECRET: secret } = given;
  const client = wrp.createClient({ baseUrl, token });
  const record = { tableId: given.TABLE_ID, recordId: given.RECORD_ID };
  const seen = {};

  seen.users = false;
  for await (const { email } of wrp.eachUser(client, { size: 2 })) seen.users ||= email.includes('@');

  const signedIn = wrp.createClient({ baseUrl, token: wrp.apiKey({ key, secret }) });
  const workspaces = () => wrp.unwrap(signedIn.GET('/organizations/workspaces'));
  seen.signedIn = (await Promise.all([workspaces(), workspaces()])).every(({ length }) => length > 0);

  const params = { path: { userId: '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9aff' } };
  const user = (options) => wrp.unwrap(client.GET('/organizations/users/{userId}', { params, ...options }));
  const refused = await caught(user());
  seen.refused = `${refused.name} ${refused.code} ${refused.fingerprint === refused.requestId}`;
  const unauthorized = await caught(user({ headers: { Authorization: 'tot_1' } }));
  seen.unauthorized = `${unauthorized.name} ${unauthorized.code}`;
  const nowhere = wrp.createClient({ baseUrl: 'http://127.0.0.1:1', token, retries: 0 });
  seen.unreachable = (await caught(nowhere.GET('/organizations/roles'))).name;
  seen.timeout = (await caught(user({ timeout: 0 }))).name;
  seen.aborted = (await caught(user({ signal: AbortSignal.abort(new Error('The user left.')) }))).message;

  const replacing = wrp.createClient({ baseUrl, token });
  replacing.use({ onRequest: ({ request }) => new Request(request) });
  const { resourceId } = await wrp.uploadResource(replacing, new Blob([text]));
  const replaced = await wrp.downloadResource(replacing, resourceId);
  seen.replaced = (await new Response(replaced.stream).text()) === text;

  const options = { name: 'Prüfbericht.txt' };
  const { name, type, size, stream } = await uploaded(client, new TextEncoder().encode(text), options);
  seen.bytes = `${name} ${type} ${size} ${(await new Response(stream).text()) === text}`;
  const progress = [];
  const streamed = await uploaded(client, new Blob([text]).stream(), {
    name: 'stream.txt',
    onProgress: ({ loaded }) => progress.push(loaded),
  });
  seen.stream = `${streamed.name} ${streamed.type} ${streamed.size}`;
  await streamed.stream.cancel();
  await uploaded(client, new Blob([text]), {
    onProgress: ({ loaded, total }) => progress.push(`${loaded} of ${total}`),
  });
  seen.progress = progress.at(-1);
  const longer = () => new Blob([text]).stream();
  const misfit = await caught(wrp.uploadResource(client, longer, { size: 2999 }));
  seen.misfit = `${misfit.name} ${(await caught(wrp.uploadResource(client, 'report.pdf'))).name}`;

  const file = new File([text], 'note.txt', { type: 'text/plain' });
  const attachment = await wrp.createAttachment(client, record, file, { tags: ['note', 'Ü'] });
  seen.tags = attachment.tags.join(', ');
  const path = { ...record, attachmentId: attachment.id };
  const part = await wrp.downloadAttachment(client, path, { range: 'bytes=3-4' });
  seen.range = await new Response(part.stream).text();

  const body = { workflowDefinitionId: given.DEFINITION_ID, parameters: { claim: '2026-0147' } };
  const { id } = await wrp.unwrap(client.POST('/workflows', { body }));
  const result = await wrp.waitForResult(client, id, { interval: 100, timeout: 20_000 });
  seen.result = result.parameters.claim;

  const signer = await webhookSigner();
  const verify = wrp.webhookVerifier({ baseUrl, fetch: signer.fetch });
  const message = await signer.sign({ id, type: 'user.mfa_reset' });
  seen.webhook = (await verify(message.body, message.headers)).type;
  seen.forged = (await caught(verify(`${new TextDecoder().decode(message.body)} `, message.headers))).reason;
  return seen;
}

async function uploaded(client, source, options) {
  const { resourceId } = await wrp.uploadResource(client, source, { type: 'text/plain', ...options });
  return wrp.downloadResource(client, resourceId);
}

async function caught(promise) {
  return promise.then(
    () => ({ name: 'no error' }),
    (error) => error,
  );
}
