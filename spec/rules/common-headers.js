import { followed, isHeader, operationsOf, responsesOf } from './operations.js';

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
          // Other rules report a response that does not exist, and one header in place of the headers.
          if (!response) continue;
          const isShared = typeof response.headers?.$ref === 'string';
          const [declared, declaredAt] = isShared
            ? followed(response.headers, at.child('headers'), context)
            : [response.headers ?? {}, at];
          if (!declared || isHeader(declared)) continue;
          const missing = headers.filter((name) => !(name in declared));
          const place = declaredAt.source.absoluteRef + declaredAt.pointer;
          if (missing.length === 0 || reported.has(place)) continue;
          reported.add(place);
          const names = missing.map((name) => `\`${name}\``).join(', ');
          context.report({ message: `Declare ${names}: the platform sends it.`, location: declaredAt.key() });
        }
    },
  };
}
