import { connect } from 'node:net';

/** The settings of the ports that the platform serves on, with their defaults. */
const settings = { PORT: '8080', SANDBOX_PORT: '8081' };

/** How long an address may take to accept a connection: it is one of this machine. */
const probeMilliseconds = 1_000;

/**
 * Which port of the platform is in use, in the words of server/http-server/listen.ts, which checks again when the platform
 * starts. A value that is no port is left to the platform.
 *
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<string | undefined>} one line; undefined if all are free
 */
export async function portInUse(env) {
  const host = env.HOST || '127.0.0.1';
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  for (const [name, fallback] of Object.entries(settings)) {
    const port = Number(env[name] || fallback);
    if (Number.isInteger(port) && port > 0 && port < 65_536 && (await isTaken(here, port)))
      return `Port ${port} is in use. Set ${name} to a free one.`;
  }
  return undefined;
}

async function isTaken(host, port) {
  const socket = connect({ host, port, timeout: probeMilliseconds });
  const taken = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
  });
  socket.destroy();
  return taken;
}
