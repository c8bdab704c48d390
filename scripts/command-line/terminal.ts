import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Text in a colour, on a terminal only: `NO_COLOR` and pipes are respected. */
export function coloured(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}
