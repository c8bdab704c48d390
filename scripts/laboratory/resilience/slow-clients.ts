/** Opens thousands of slow connections and checks that other clients are served, and that the slow ones are ended. */
import { runResilienceTests } from './results.ts';
import { testSlowClients } from './slow-clients/slow-clients.ts';

await runResilienceTests({
  name: 'slow-clients',
  description: `Opens connections that send their headers or their body byte by byte, or hardly read their response, and
measures the requests of other clients meanwhile. The platform must end every slow connection within its time limits
and free their memory. The limits of bodies and responses are set to 10 seconds instead of 30 and 60, so that the run
is short; that of headers is 20 seconds. Needs two file descriptors for each connection (ulimit -n).`,
  options: { sockets: { description: 'slow connections', full: 5_000, quick: 600, minimum: 3 } },
  test: ({ sockets }, running) => testSlowClients({ sockets, ...running }),
});
