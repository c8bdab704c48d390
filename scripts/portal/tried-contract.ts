import { resolve } from '../../server/src/contract/document.ts';
import { demoSandboxIds } from '../../server/src/manifest/sandbox-ids.ts';
import type { Contract } from '../contract/source.ts';

/** Names a moment, which a request that is sent on another day would miss. */
const momentary = 'expiresAt';
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

type Parameter = { name: string; in: string; required?: boolean; example?: unknown };
type RequestBody = { content?: Record<string, { examples?: Record<string, object> }> };

/** What is filled in where requests are tried out. */
export interface TriedContract {
  /** The contract with examples that the sandbox's demo knows, on any day. */
  contract: Contract;
  /** Whether the sandbox's demo has a thing with this identifier. */
  isKnown(example: unknown): boolean;
}

export async function triedContract(original: Contract): Promise<TriedContract> {
  const ids = await demoSandboxIds();
  const text = JSON.stringify(original).replaceAll(uuid, (id) => ids.get(id) ?? id);
  const contract = JSON.parse(text) as Contract;
  const known = new Set<unknown>(ids.values());
  const isKnown = (example: unknown) => known.has(example);
  for (const operation of Object.values(contract.paths).flatMap((item) => Object.values(item))) {
    const { requestBody } = operation as { requestBody?: RequestBody };
    for (const media of Object.values(requestBody?.content ?? {})) {
      const examples = Object.entries(media.examples ?? {}).map(([name, example]) => [
        name,
        lasting(resolve(contract, example), isKnown),
      ]);
      if (media.examples) media.examples = Object.fromEntries(examples);
    }
  }
  return { contract, isKnown };
}

/** Without what passes, and without things that are not there; the contract asks for neither. */
function lasting(example: unknown, isKnown: TriedContract['isKnown']): object {
  const { value, ...rest } = example as { value: unknown };
  if (typeof value !== 'object' || value === null) return example as object;
  const kept = Object.entries(value).filter(
    ([key, field]) => key !== momentary && (String(field).search(uuid) < 0 || isKnown(field)),
  );
  return { ...rest, value: Object.fromEntries(kept) };
}

/**
 * Takes away the examples of parameters that would be sent along as they are: of what is not needed, and
 * identifiers of things that are not there.
 */
export function withoutVainExamples({ contract, isKnown }: TriedContract): Contract {
  const parameters = Object.entries(contract.components['parameters'] ?? {}).map(([name, parameter]) => {
    const { example, ...rest } = parameter as Parameter;
    const isVain = rest.in === 'header' ? !rest.required : rest.in === 'path' && !isKnown(example);
    return [name, isVain ? rest : parameter];
  });
  return { ...contract, components: { ...contract.components, parameters: Object.fromEntries(parameters) } };
}
