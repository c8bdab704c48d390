import { operationsOf, responsesOf } from './operations.js';

/** Every operation has responses, which declare the headers that the platform sends with all of them. Option `headers`: their names. */
export function CommonHeaders({ headers = [] }) {
  return {
    Operation({ responses }, { report, location }) {
      if (!responses)
        report({ message: 'Describe its responses: add `responses`.', location: location.key() });
    },
    Root(root, context) {
      const reported = new Set();
      for (const each of operationsOf(root, 'paths', context))
        for (const { response, at } of responsesOf(each, context)) {
          const missing = headers.filter((name) => !(name in (response?.headers ?? {})));
          const place = at && at.source.absoluteRef + at.pointer;
          // A response that does not exist is reported as such.
          if (!response || missing.length === 0 || reported.has(place)) continue;
          reported.add(place);
          const names = missing.map((name) => `\`${name}\``).join(', ');
          context.report({ message: `Declare ${names}: the platform sends it.`, location: at.key() });
        }
    },
  };
}
