import { createReadStream } from 'node:fs';

/** The lines of a text file of any size. Not by `readline`, which also ends lines at U+2028. */
export async function* linesOf(path: string): AsyncIterable<string> {
  let rest: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const [first = '', ...others] = (chunk as string).split('\n');
    rest.push(first);
    for (const next of others) {
      yield rest.join('');
      rest = [next];
    }
  }
  const last = rest.join('');
  if (last !== '') yield last;
}
