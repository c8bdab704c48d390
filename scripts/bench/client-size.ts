/** What the client weighs in a browser's bundle, openapi-fetch and all. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Bytes of everything, gzipped, that must not be exceeded. */
export const clientSizeLimit = 10_000;

export interface ClientSize {
  name: 'everything' | 'createClient alone' | 'webhookVerifier alone';
  minified: number;
  gzipped: number;
}

const entries: Record<ClientSize['name'], string> = {
  everything: "export * from '@wrp/client'; export * from '@wrp/client/testing';",
  'createClient alone': "export { createClient } from '@wrp/client';",
  'webhookVerifier alone': "export { webhookVerifier } from '@wrp/client';",
};

/** Bundles each entry for a browser, minified. @throws Where one does not bundle, or leaves an import behind. */
export async function clientSizes(): Promise<ClientSize[]> {
  const sizes: ClientSize[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const code = await browserBundle(entry);
    sizes.push({
      name: name as ClientSize['name'],
      minified: Buffer.byteLength(code),
      gzipped: gzipSync(code, { level: 9 }).length,
    });
  }
  return sizes;
}

export function asText(sizes: readonly ClientSize[]): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(8);
  const lines = sizes.map(({ name, minified, gzipped }) => {
    return `${name.padEnd(22)}${kilobytes(gzipped)} gzipped ${kilobytes(minified)} minified`;
  });
  return [`The client in a browser (at most ${clientSizeLimit / 1000} kB gzipped)`, ...lines].join('\n');
}

/**
 * One module for a browser, with everything in it.
 *
 * @param entry the code of a module that uses the client
 * @param from the file that it stands in, as far as its imports go
 */
export async function browserBundle(entry: string, from = fileURLToPath(import.meta.url)): Promise<string> {
  const id = '\0entry';
  const bundle = await rolldown({
    input: id,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId(source, importer) {
          if (source === id) return id;
          if (importer !== id) return null;
          return this.resolve(source, from, { skipSelf: true });
        },
        load: (source) => (source === id ? entry : null),
      },
    ],
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    const [chunk] = output;
    const left = output.length > 1 ? output.map(({ fileName }) => fileName) : chunk.imports;
    if (left.length > 0) throw new Error(`The bundle is not one file without imports: ${left.join(', ')}`);
    return chunk.code;
  } finally {
    await bundle.close();
  }
}

const usage = `Usage: node scripts/bench/client-size.ts [--json]

Prints what the client weighs in a browser's bundle.

  --json    as JSON
  --help    this text`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(usage);
  const sizes = await clientSizes();
  console.log(values.json ? JSON.stringify(sizes, null, 2) : asText(sizes));
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
