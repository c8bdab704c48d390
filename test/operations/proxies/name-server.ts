import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { atEnd } from '../../support/temporary.ts';

const headerBytes = 12;
const typeA = 1;

/** A name server (RFC 1035) that gives every name the same addresses, for a second, until the end of the test. */
export async function openNameServer(addresses: Set<string>): Promise<{ port: number }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    // The question: labels that end with an empty one, type and class. What follows it is not repeated.
    const end = query.indexOf(0, headerBytes) + 5;
    const question = query.subarray(headerBytes, end);
    const found = query.readUInt16BE(end - 4) === typeA ? [...addresses] : [];
    const header = Buffer.from(query.subarray(0, headerBytes));
    // A response without an error, with one question.
    header.set([0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0], 2);
    const answers = found.map((one) =>
      // The name of the question, type A, class IN, a time to live of a second.
      Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atEnd(() => void socket.close());
  return { port: socket.address().port };
}
