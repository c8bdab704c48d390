import { serveLocally } from '../../command-line/local-server.ts';
import type { Group } from './attack.ts';
import type { Inside } from './private-addresses.ts';

/** Redirects of a called system. Needs a platform that may call this machine. */
export async function redirects(inside: Inside): Promise<{ group: Group } & Disposable> {
  const targets = [
    `http://127.0.0.1:${inside.port}/secret`,
    `http://localhost:${inside.port}/secret`,
    `//127.0.0.1:${inside.port}/secret`,
    `http://[::1]:${inside.port}/secret`,
    'file:///etc/passwd',
    'http://169.254.169.254/latest/meta-data/',
  ];
  const statuses = [301, 302, 303, 307, 308];
  const server = await serveLocally((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    response.writeHead(Number(searchParams.get('status')), {
      Location: searchParams.get('to') ?? '',
      Refresh: `0; url=${searchParams.get('to')}`,
    });
    response.end();
  });
  const group: Group = {
    tried: 'redirects to private addresses',
    attacks: () =>
      statuses.flatMap((code) =>
        targets.map((to) => ({
          name: `${code} to ${to}`,
          async run({ start, ending }) {
            const url = `${server.url}/?${new URLSearchParams({ status: String(code), to })}`;
            const { status, error, cause } = await ending(await start('call', { url }));
            return error === `Http.Status.${code}` ? undefined : `ended ${status} with ${error}: ${cause}`;
          },
        })),
      ),
    unchanged: async () => inside.reached.join(', '),
  };
  return { ...server, group };
}
