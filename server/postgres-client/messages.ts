/** An execution of a prepared statement. */
export interface Message {
  /** Empty: the unnamed statement. */
  name: string;
  /** To prepare the statement first. */
  text: string | undefined;
  /** Whether the columns of its rows are known already. */
  isDescribed: boolean;
  /** A text, or bytes in the binary format. */
  values: readonly (string | Buffer | null | undefined)[];
}

/** Type and length. */
const head = 5;
const executeBytes = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1');
const syncBytes = Buffer.from('S\0\0\0\x04', 'latin1');

/**
 * Encodes executions of statements, and the `Sync` after them, in one buffer: Parse, Bind, Describe and Execute of
 * PostgreSQL's protocol (PostgreSQL documentation, "Message Formats"). The driver would create a buffer for each.
 */
export function encode(messages: readonly Message[]): Buffer {
  let length = syncBytes.length;
  for (const message of messages) length += lengthOf(message);
  const buffer = Buffer.allocUnsafe(length);
  let at = 0;
  for (const message of messages) at = write(buffer, at, message);
  syncBytes.copy(buffer, at);
  return buffer;
}

function lengthOf({ name, text, isDescribed, values }: Message): number {
  const nameLength = Buffer.byteLength(name) + 1;
  let length = head + 1 + nameLength + 8 + executeBytes.length;
  for (const value of values) length += 6 + (value == null ? 0 : Buffer.byteLength(value));
  if (text !== undefined) length += head + nameLength + Buffer.byteLength(text) + 3;
  if (!isDescribed) length += head + 1 + nameLength;
  return length;
}

/** @returns where the next message starts */
function write(buffer: Buffer, start: number, { name, text, isDescribed, values }: Message): number {
  let at = start;
  if (text !== undefined) {
    const end = writeText(buffer, writeText(buffer, at + head, name), text);
    // No types of parameters.
    at = finish(buffer, at, 'P', buffer.writeInt16BE(0, end));
  }
  if (!isDescribed) {
    buffer.write('S', at + head, 'latin1');
    at = finish(buffer, at, 'D', writeText(buffer, at + head + 1, name));
  }
  let end = writeText(buffer, writeText(buffer, at + head, ''), name);
  end = buffer.writeInt16BE(values.length, end);
  for (const value of values) end = buffer.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, end);
  end = buffer.writeInt16BE(values.length, end);
  for (const value of values) end = writeValue(buffer, end, value);
  // One format for all columns: text.
  end = buffer.writeInt32BE(1 << 16, end);
  at = finish(buffer, at, 'B', end);
  return at + executeBytes.copy(buffer, at);
}

function finish(buffer: Buffer, start: number, type: string, end: number): number {
  buffer.write(type, start, 'latin1');
  buffer.writeInt32BE(end - start - 1, start + 1);
  return end;
}

function writeText(buffer: Buffer, at: number, text: string): number {
  return buffer.writeInt8(0, at + buffer.write(text, at));
}

function writeValue(buffer: Buffer, at: number, value: Message['values'][number]): number {
  if (value == null) return buffer.writeInt32BE(-1, at);
  const written = Buffer.isBuffer(value) ? value.copy(buffer, at + 4) : buffer.write(value, at + 4);
  return buffer.writeInt32BE(written, at) + written;
}
