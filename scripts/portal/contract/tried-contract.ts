import { resolve } from '../../../server/src/contract/document.ts';
import { demoPlatformFile } from '../../../server/src/manifest/demo.ts';
import { readPlatformFile } from '../../../server/src/manifest/read.ts';
import type { Contract } from '../../contract/source.ts';

/** A property whose example fails once its date has passed. */
const expiry = 'expiresAt';
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

type Parameter = { name: string; in: string; required?: boolean; example?: unknown };
type RequestBody = { content?: Record<string, { examples?: Record<string, object> }> };

/** The contract with examples that can be sent to the sandbox. */
export interface TriedContract {
  contract: Contract;
  /** Whether the demo in the sandbox has an object with this id. */
  isKnown(example: unknown): boolean;
}

export async function triedContract(original: Contract): Promise<TriedContract> {
  const { environments } = await readPlatformFile(demoPlatformFile);
  const known = new Set<unknown>(JSON.stringify(environments.sandbox).match(uuid));
  const isKnown = (example: unknown) => known.has(example);
  const contract = structuredClone(original);
  for (const operation of Object.values(contract.paths).flatMap((item) => Object.values(item))) {
    const { requestBody } = operation as { requestBody?: RequestBody };
    for (const media of Object.values(requestBody?.content ?? {})) {
      const examples = Object.entries(media.examples ?? {}).map(([name, example]) => [
        name,
        withLastingValues(resolve(contract, example), isKnown),
      ]);
      if (media.examples) media.examples = Object.fromEntries(examples);
    }
  }
  return { contract, isKnown };
}

/** Drops properties that name a day, or an object that the demo lacks. All of them are optional. */
function withLastingValues(example: unknown, isKnown: TriedContract['isKnown']): object {
  const { value, ...rest } = example as { value: unknown };
  if (typeof value !== 'object' || value === null) return example as object;
  const kept = Object.entries(value).filter(
    ([key, field]) => key !== expiry && (String(field).search(uuid) < 0 || isKnown(field)),
  );
  return { ...rest, value: Object.fromEntries(kept) };
}

/**
 * Drops examples of parameters that a reader would send unintentionally: those of optional headers, and ids of objects
 * that the demo lacks.
 */
export function withoutUnusableExamples({ contract, isKnown }: TriedContract): Contract {
  const parameters = Object.entries(contract.components['parameters'] ?? {}).map(([name, parameter]) => {
    const { example, ...rest } = parameter as Parameter;
    const isUnusable = rest.in === 'header' ? !rest.required : rest.in === 'path' && !isKnown(example);
    return [name, isUnusable ? rest : parameter];
  });
  return { ...contract, components: { ...contract.components, parameters: Object.fromEntries(parameters) } };
}
