import { styleText } from 'node:util';
import { type Delivery, isDelivered } from './forward.ts';
import type { ListenerReport } from './listener.ts';

/** Where lines go. Colors are used if it is a terminal. */
export interface Output {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** What `wrp-listen` prints. */
export interface ListenReport extends ListenerReport {
  ready(from: string, to: string): void;
  notice(text: string): void;
  stopped(): void;
}

/** One line for each delivery on standard output; everything else on standard error. */
export function textReport({ stdout, stderr }: Output): ListenReport {
  const counts = { delivered: 0, failed: 0 };
  const notice = (text: string) => void stderr.write(`${printable(text)}\n`);
  return {
    notice,
    gap: notice,
    ready: (from, to) =>
      notice(
        `Forwarding the events of ${from} to ${to}. Enter r to send the last event again; Ctrl-C stops.`,
      ),
    disconnected: ({ message }) => notice(`${message} Trying again …`),
    reconnected: () => notice('Connected again.'),
    stopped: () => notice(`Stopped. ${counts.delivered} delivered, ${counts.failed} failed.`),
    delivered(delivery) {
      const { event, at, milliseconds } = delivery;
      const succeeded = isDelivered(delivery);
      counts[succeeded ? 'delivered' : 'failed']++;
      const time = at.toTimeString().slice(0, 8);
      const outcome = styleText(succeeded ? 'green' : 'red', printable(outcomeOf(delivery)), {
        stream: stdout,
      });
      stdout.write(
        `${time}  ${printable(event.type).padEnd(20)}  ${printable(event.id)}  ${outcome}  ${milliseconds} ms\n`,
      );
    },
  };
}

/** One JSON object per line, all on standard output. */
export function jsonReport({ stdout }: Output): ListenReport {
  const print = (kind: string, fields: object = {}) =>
    void stdout.write(`${JSON.stringify({ kind, at: new Date(), ...fields })}\n`);
  return {
    ready: (from, to) => print('ready', { from, to }),
    notice: (message) => print('notice', { message }),
    gap: (message) => print('gap', { message }),
    disconnected: ({ message }) => print('disconnected', { message }),
    reconnected: () => print('reconnected'),
    stopped: () => print('stopped'),
    delivered(delivery) {
      const { event, at, milliseconds, status = null, error = null } = delivery;
      const { id, type, createdDateTime } = event;
      const delivered = isDelivered(delivery);
      print('delivery', { at, id, type, createdDateTime, delivered, status, error, milliseconds });
    },
  };
}

function outcomeOf({ status, error }: Delivery): string {
  return [status, error].filter((part) => part !== undefined).join(' ');
}

/** Replaces control characters, which could be escape sequences for the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}');
}
