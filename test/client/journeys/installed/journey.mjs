/** Exercises the published client in plain JavaScript that runs in Node, Deno, Bun and browsers. */
import * as wrp from '@wrp/client';
import { operations } from '@wrp/client/operations';
import { webhookSigner } from '@wrp/client/testing';

/** The expected outcome of each step. */
export const expected = {
  users: true,
  named: true,
  signedIn: true,
  notFound: 'NotFoundError user_not_found true',
  unauthorized: 'UnauthorizedError credentials_invalid',
  unreachable: 'ConnectionError',
  timeout: 'TimeoutError',
  aborted: 'Stopped by the caller.',
  replaced: true,
  bytes: 'Prüfbericht.txt text/plain 3000 true',
  stream: 'stream.txt text/plain 3000',
  progress: '3000 of 3000',
  invalidSource: 'RangeError TypeError',
  tags: 'note, Ü',
  range: 'ß',
  result: '2026-0147',
  webhook: 'user.mfa_reset',
  tampered: 'signature_wrong',
};

const text = `Stoß${'e'.repeat(2995)}`;

/** @param {Record<string, string>} variables The environment variables that the snippets use. */
export async function journey(variables) {
  const { WRP_BASE_URL: baseUrl, WRP_TOKEN: token, WRP_API_KEY: key, WRP_API_SECRET: secret } = variables;
  const client = wrp.createClient({ baseUrl, token });
  const record = { tableId: variables.TABLE_ID, recordId: variables.RECORD_ID };
  const actual = {};

  actual.users = false;
  for await (const { email } of wrp.eachUser(client, { size: 2 })) actual.users ||= email.includes('@');

  const ops = operations(client);
  actual.named = false;
  for await (const { id } of ops.users.list({ query: { size: 2 } }))
    actual.named ||= (await ops.users.get(id).withResponse()).requestId.length > 0;

  const signedIn = wrp.createClient({ baseUrl, token: wrp.apiKey({ key, secret }) });
  const workspaces = () => wrp.unwrap(signedIn.GET('/organizations/workspaces'));
  actual.signedIn = (await Promise.all([workspaces(), workspaces()])).every(({ length }) => length > 0);

  const params = { path: { userId: '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9aff' } };
  const user = (options) => wrp.unwrap(client.GET('/organizations/users/{userId}', { params, ...options }));
  const notFound = await caught(user());
  actual.notFound = `${notFound.name} ${notFound.code} ${notFound.fingerprint === notFound.requestId}`;
  const unauthorized = await caught(user({ headers: { Authorization: 'tot_1' } }));
  actual.unauthorized = `${unauthorized.name} ${unauthorized.code}`;
  const unreachable = wrp.createClient({ baseUrl: 'http://127.0.0.1:1', token, retries: 0 });
  actual.unreachable = (await caught(unreachable.GET('/organizations/roles'))).name;
  actual.timeout = (await caught(user({ timeout: 0 }))).name;
  actual.aborted = (
    await caught(user({ signal: AbortSignal.abort(new Error('Stopped by the caller.')) }))
  ).message;

  const replacing = wrp.createClient({ baseUrl, token });
  replacing.use({ onRequest: ({ request }) => new Request(request) });
  const { resourceId } = await wrp.uploadResource(replacing, new Blob([text]));
  const replaced = await wrp.downloadResource(replacing, resourceId);
  actual.replaced = (await new Response(replaced.stream).text()) === text;

  const options = { name: 'Prüfbericht.txt' };
  const { name, type, size, stream } = await uploaded(client, new TextEncoder().encode(text), options);
  actual.bytes = `${name} ${type} ${size} ${(await new Response(stream).text()) === text}`;
  const progress = [];
  const streamed = await uploaded(client, new Blob([text]).stream(), {
    name: 'stream.txt',
    onProgress: ({ loaded }) => progress.push(loaded),
  });
  actual.stream = `${streamed.name} ${streamed.type} ${streamed.size}`;
  await streamed.stream.cancel();
  await uploaded(client, new Blob([text]), {
    onProgress: ({ loaded, total }) => progress.push(`${loaded} of ${total}`),
  });
  actual.progress = progress.at(-1);
  const longer = () => new Blob([text]).stream();
  const invalidSource = await caught(wrp.uploadResource(client, longer, { size: 2999 }));
  actual.invalidSource = `${invalidSource.name} ${(await caught(wrp.uploadResource(client, 'report.pdf'))).name}`;

  const file = new File([text], 'note.txt', { type: 'text/plain' });
  const attachment = await wrp.createAttachment(client, record, file, { tags: ['note', 'Ü'] });
  actual.tags = attachment.tags.join(', ');
  const path = { ...record, attachmentId: attachment.id };
  const part = await wrp.downloadAttachment(client, path, { range: 'bytes=3-4' });
  actual.range = await new Response(part.stream).text();

  const body = { workflowDefinitionId: variables.DEFINITION_ID, parameters: { claim: '2026-0147' } };
  const { id } = await wrp.unwrap(client.POST('/workflows', { body }));
  const result = await wrp.waitForResult(client, id, { interval: 100, timeout: 20_000 });
  actual.result = result.parameters.claim;

  const signer = await webhookSigner();
  const verify = wrp.webhookVerifier({ baseUrl, fetch: signer.fetch });
  const message = await signer.sign({ id, type: 'user.mfa_reset' });
  actual.webhook = (await verify(message.body, message.headers)).type;
  actual.tampered = (
    await caught(verify(`${new TextDecoder().decode(message.body)} `, message.headers))
  ).reason;
  return actual;
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
