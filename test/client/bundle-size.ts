/** Bundles of the client for a browser, openapi-fetch included, and their sizes. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

export const entries = {
  everything: "export * from '@wrp/client';",
  'createClient alone': "export { createClient } from '@wrp/client';",
  'webhookVerifier alone': "export { webhookVerifier } from '@wrp/client';",
  'createClient with all operations':
    "export { createClient } from '@wrp/client'; export { operations } from '@wrp/client/operations';",
  // With what they use of Valibot.
  'all schemas': "export * from '@wrp/client/schemas';",
  'one schema':
    "import { responses } from '@wrp/client/schemas'; import { parse } from 'valibot'; export const user = (value) => parse(responses.getUser, value);",
} as const;

/** Bundles an entry for a browser, minified and gzipped. @throws if bundling fails or leaves an import */
export async function bundleSize(name: keyof typeof entries): Promise<number> {
  const code = await browserBundle(entries[name]);
  return gzipSync(code, { level: 9 }).length;
}

/**
 * Bundles a module for a browser into one file without imports.
 *
 * @param entry the code of a module that uses the client
 * @param from the file that its imports are resolved from
 */
export async function browserBundle(
  entry: string,
  from: string = fileURLToPath(import.meta.url),
): Promise<string> {
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
    const unbundled = output.length > 1 ? output.map(({ fileName }) => fileName) : chunk.imports;
    if (unbundled.length > 0)
      throw new Error(`The bundle is not one file without imports: ${unbundled.join(', ')}`);
    return chunk.code;
  } finally {
    await bundle.close();
  }
}
